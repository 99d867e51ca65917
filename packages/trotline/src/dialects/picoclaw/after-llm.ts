import { field, isObject, listField, type Obj, objectField, textField } from './json.ts';
import { ask, type LinkContext, type LinkNext, obey, seat } from './link.ts';
import { readCalls, shownCall } from './messages.ts';

interface Response {
  readonly text: string;
  readonly reasoning?: string;
  readonly toolCalls: readonly unknown[];
  readonly stopReason: string | null;
  readonly usage: Obj | null;
}

interface RequestEvent {
  readonly model: string;
  readonly turnId: string;
  readonly index: number;
  readonly agentId?: string;
}

/** Why a model stopped, in the words of the chat-completions API that PicoClaw uses. */
const finishReasons: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  refusal: 'content_filter',
};
const stopReasons: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  content_filter: 'refusal',
};

/** `after_llm`: a buffering link on `llm.request`. Nothing of the answer is shown before the hook has seen it. */
export function seatAfterLlm(context: LinkContext): void {
  seat(context, 'llm.request', 'after_llm', 'after', async (_$: unknown, e: RequestEvent, next: LinkNext) => {
    const response = (await next(e)) as Response;
    const sent = shownResponse(response);
    const reply = await ask(context, 'after_llm', e, { model: e.model, response: sent }, next);
    obey(context, 'after_llm', reply, next);
    const given = responseOf(reply);
    return given === undefined ? response : rewritten(response, given);
  });
}

function shownResponse({ text, reasoning, toolCalls, stopReason, usage }: Response): Obj {
  return {
    content: text,
    reasoning_content: reasoning ?? '',
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(shownCall) }),
    finish_reason: finishReasons[stopReason ?? ''] ?? stopReason ?? '',
    ...(usage === null ? {} : { usage: shownUsage(usage) }),
    reasoning: reasoning ?? '',
    reasoning_details: null,
  };
}

function shownUsage({ input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens }: Obj): Obj {
  const count = (value: unknown): number => (typeof value === 'number' ? value : 0);
  const prompt = count(input_tokens) + count(cache_read_input_tokens) + count(cache_creation_input_tokens);
  const completion = count(output_tokens);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

/** In the envelope it was sent in, or bare. */
function responseOf(reply: Obj): Obj | undefined {
  const outer = objectField(reply, 'response');
  const inner = field(outer, 'response');
  return isObject(inner) ? inner : outer;
}

/** What the reply leaves out is unchanged (rule M-1). */
function rewritten(response: Response, given: Obj): Response {
  const text = textField(given, 'content');
  const reasoning = textField(given, 'reasoning_content');
  const calls = listField(given, 'tool_calls');
  const toolCalls = calls === undefined ? response.toolCalls : readCalls(calls, response.toolCalls);
  const finish = textField(given, 'finish_reason');
  return {
    ...response,
    ...(text === undefined ? {} : { text }),
    ...(reasoning === undefined || reasoning === '' ? {} : { reasoning }),
    toolCalls,
    stopReason: stopReasonOf(response, finish, toolCalls.length),
  };
}

/** Calls added or taken away decide whether the loop goes on, whatever the reply says of the reason. */
function stopReasonOf({ stopReason, toolCalls }: Response, finish: string | undefined, calls: number): string | null {
  if (calls > 0 && toolCalls.length === 0) return 'tool_use';
  if (calls === 0 && stopReason === 'tool_use') return 'end_turn';
  const shown = finishReasons[stopReason ?? ''] ?? stopReason ?? '';
  return finish === undefined || finish === shown ? stopReason : (stopReasons[finish] ?? stopReason);
}
