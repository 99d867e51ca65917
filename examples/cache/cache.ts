import type { Registrar } from '@trotline/engine';

interface Kept {
  readonly until: number;
  readonly answer: { readonly result: unknown; readonly text: string };
}

/** Answers what was fetched before, for a while, without fetching it again. */
export const register = (on: Registrar['on'], options: Readonly<Record<string, unknown>>): void => {
  const keepMs = Number(options['keepMs'] ?? 300_000);
  const limit = Number(options['limit'] ?? 100);
  const kept = new Map<string, Kept>();

  on('tool.call', { tool: ['WebFetch', 'WebSearch'] }, async ($, e, next) => {
    // The same call by another id, or by a subagent, is the same call.
    const { tool_use_id: _, agentId: __, ...call } = e;
    const key = JSON.stringify(Object.entries(call).sort());
    const now = await $.clock.now();
    const known = kept.get(key);
    if (known !== undefined && known.until > now) return known.answer;
    const answer = await next(e);
    if ('deny' in answer || answer.isError === true) return answer;
    kept.delete(key);
    kept.set(key, { until: now + keepMs, answer: { result: answer.result, text: answer.text ?? '' } });
    const [oldest] = kept.keys();
    if (kept.size > limit && oldest !== undefined) kept.delete(oldest);
    return answer;
  });
};
