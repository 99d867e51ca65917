import type { Notice, NoticeMap, NoticeName } from '@trotline/engine';
import { oneLine } from '../terminal/clean.ts';
import type { Colors } from '../terminal/io.ts';
import { callText } from './call.ts';
import type { Failures } from './failures.ts';

/** What a notice is drawn with. */
export interface NoticeContext {
  readonly c: Colors;
  /** Columns for what is told. */
  readonly room: number;
  /** What a call that did not run was about, by its id, where it is known. */
  /** Whether a call was shown when it started. */
  readonly begun: (toolUseId: string) => boolean;
  readonly failures: Failures;
  readonly callOf: (toolUseId: string) => Readonly<Record<string, unknown>> | undefined;
}

type Drawn = { readonly [N in NoticeName]?: (data: NoticeMap[N], context: NoticeContext) => string };

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>) : {};

const within = (agentId: string | undefined, c: Colors): string =>
  agentId === undefined ? '' : c.dim(` in ${oneLine(agentId, 40)}`);

const hookName = ({ owner, hook }: { readonly owner: string; readonly hook?: string | undefined }): string =>
  oneLine(hook === undefined || hook === owner ? owner : `${owner}/${hook}`, 60);

/** Those that a person follows a turn by. The rest is for programs and traces. */
const drawn: Drawn = {
  'tool.started': ({ tool, input, agentId }, { c, room }) =>
    `${c.cyan('●')} ${c.bold(oneLine(tool, 40))} ${callText(tool, record(input), room)}${within(agentId, c)}\n`,
  'tool.ended': ({ tool, toolUseId, input, agentId, isError, answeredBy, aborted }, { c, room, begun }) => {
    const call = `${c.bold(oneLine(tool, 40))} ${callText(tool, record(input), room)}`;
    const inside = within(agentId, c);
    if (answeredBy !== undefined)
      return `${c.cyan('●')} ${call} ${c.cyan(`answered by ${oneLine(answeredBy, 60)}`)}${inside}\n`;
    if (aborted === true) return `  ${c.yellow('interrupted')}${inside}\n`;
    if (!isError) return '';
    // What was refused for its arguments never started.
    return `${begun(toolUseId) ? '' : `${c.red('○')} ${call}${inside}\n`}  ${c.red('failed')}${inside}\n`;
  },
  'tool.skipped': ({ tool, toolUseId, reason, by, agentId }, { c, room, callOf }) => {
    const call = callOf(toolUseId);
    const about = call === undefined ? '' : ` ${callText(tool, call, room)}`;
    const who = by === undefined ? '' : ` by ${oneLine(by, 60)}`;
    return `${c.red('○')} ${c.bold(oneLine(tool, 40))}${about}${within(agentId, c)}\n  ${c.red(`not run${who}:`)} ${oneLine(reason, 600)}\n`;
  },
  'hook.failed': (data, { room, failures }) => failures.told(data, room),
  'hook.restarted': (data, { c }) => `${c.dim('·')} hook ${hookName(data)} was started again\n`,
  'hook.down': (data, { c, room }) => `${c.red('!')} hook ${hookName(data)} is down: ${oneLine(data.reason, room)}\n`,
  'record.failed': ({ message }, { c, room }) =>
    `${c.red('!')} a decision was not recorded: ${oneLine(message, room)}\n`,
  'llm.retried': ({ error, attempt, maxRetries }, { c, room }) =>
    `${c.dim('·')} the model is asked again (${attempt} of ${maxRetries}): ${oneLine(error, room)}\n`,
  'context.compacted': (_, { c }) => `${c.dim('·')} the conversation was shortened\n`,
  'steering.injected': (_, { c }) => `${c.dim('·')} your message was handed over\n`,
  'mcp.failed': ({ server, error }, { c, room }) =>
    `${c.yellow('!')} MCP server ${oneLine(server, 60)}: ${oneLine(error ?? 'failed', room)}\n`,
  'host.reloaded': (_, { c }) => `${c.dim('·')} the configuration was read again\n`,
};

/** A notice as lines; empty for one that a person does not follow. */
export function noticeText({ name, data }: Notice, context: NoticeContext): string {
  if (!Object.hasOwn(drawn, name)) return '';
  const draw = drawn[name as NoticeName] as ((data: unknown, context: NoticeContext) => string) | undefined;
  return draw?.(data, context) ?? '';
}
