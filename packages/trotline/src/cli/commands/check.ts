import type { Context } from '../command.ts';
import { exit } from '../exit.ts';
import { openToLook, type WhereOptions } from '../open.ts';
import { problemText } from '../render/problems.ts';

/** `trotline check` */
export async function check({ io, json }: Context, _: readonly string[], options: WhereOptions): Promise<number> {
  const line = await openToLook(io, options);
  try {
    const { problems, owners } = line;
    const failed = owners.filter(({ state }) => state === 'failed');
    const wrong = problems.some(({ severity }) => severity === 'error') || failed.length > 0;
    if (json) io.out(`${JSON.stringify({ ok: !wrong, problems, owners })}\n`);
    else {
      for (const problem of problems) io.err(problemText(problem, io.errColors));
      const ready = owners.filter(({ state }) => state === 'ready').length;
      const untrusted = owners.filter(({ state }) => state === 'untrusted').length;
      const of = untrusted === 1 ? 'One hook' : `${untrusted} hooks`;
      const note =
        untrusted === 0
          ? ''
          : ` ${of} of a project that is not trusted ${untrusted === 1 ? 'was' : 'were'} read, not loaded.`;
      if (!wrong)
        io.out(`The configuration is in order; ${ready === 1 ? 'one hook is' : `${ready} hooks are`} ready.${note}\n`);
    }
    return wrong ? exit.misuse : exit.done;
  } finally {
    await line.close();
  }
}
