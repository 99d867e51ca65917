import { listField, type Obj, objectField, same, textField } from './json.ts';
import { ask, type LinkContext, type LinkNext, obey, seat } from './link.ts';
import { readMessages, readTool, shownMessage, shownTool } from './messages.ts';

/** `e` of `llm.request`. */
interface RequestEvent {
  readonly model: string;
  readonly turnId: string;
  readonly index: number;
  readonly messages: readonly unknown[];
  readonly tools: readonly unknown[];
  readonly options: Obj;
  readonly agentId?: string;
}

/** `before_llm`: on `llm.request`, as a generator, so that the answer still streams past it. */
export function seatBeforeLlm(context: LinkContext): void {
  seat(context, 'llm.request', 'before_llm', 'before', async function* (_$: unknown, e: RequestEvent, next: LinkNext) {
    const shown = {
      model: e.model,
      messages: e.messages.map(shownMessage),
      tools: e.tools.map(shownTool),
      options: e.options,
    };
    const reply = await ask(context, 'before_llm', e, shown, next);
    obey(context, 'before_llm', reply, next);
    const request = objectField(reply, 'request');
    return yield* next(request === undefined ? e : rewritten(e, shown, request)) as AsyncGenerator<unknown>;
  });
}

/** What the reply leaves out is unchanged (rule M-1), and what it echoes keeps what was not shown. */
function rewritten(
  e: RequestEvent,
  shown: { readonly messages: readonly unknown[]; readonly tools: readonly unknown[] },
  request: Obj,
): RequestEvent {
  const messages = listField(request, 'messages');
  const tools = listField(request, 'tools');
  const options = objectField(request, 'options');
  const model = textField(request, 'model');
  return {
    ...e,
    ...(model === undefined || model === '' ? {} : { model }),
    ...(messages === undefined ? {} : { messages: readMessages(messages, e.messages, shown.messages) }),
    ...(tools === undefined
      ? {}
      : { tools: tools.map((tool) => e.tools[shown.tools.findIndex((one) => same(one, tool))] ?? readTool(tool)) }),
    ...(options === undefined ? {} : { options }),
  };
}
