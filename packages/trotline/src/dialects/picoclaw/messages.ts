import { field, isObject, listField, misfit, type Obj, objectField, same, textField } from './json.ts';
import { canonical, spelled } from './tool-event.ts';

/** A tool call in a conversation, as our models exchange it. */
interface OwnCall {
  readonly id: string;
  readonly name: string;
  readonly input: Obj;
}

/** One of our messages in PicoClaw's words. */
export function shownMessage(message: unknown): unknown {
  if (!isObject(message)) return message;
  const { role, content, reasoning, toolCalls, toolCallId } = message;
  return {
    role,
    content,
    ...(typeof reasoning === 'string' ? { reasoning_content: reasoning } : {}),
    ...(Array.isArray(toolCalls) ? { tool_calls: toolCalls.map(shownCall) } : {}),
    ...(typeof toolCallId === 'string' ? { tool_call_id: toolCallId } : {}),
  };
}

/** Whole, name and arguments included: PicoClaw's own releases lose them, and with them the call. */
export function shownCall(call: unknown): unknown {
  const { id, name, input } = call as OwnCall;
  const { tool, input: shown } = spelled(name, input);
  return { id, type: 'function', function: { name: tool, arguments: JSON.stringify(shown) } };
}

/**
 * Messages that came back. One that is as it was shown is the very one of before, whatever it holds that was not shown;
 * others are read anew.
 */
export function readMessages(given: readonly unknown[], own: readonly unknown[], shown: readonly unknown[]): unknown[] {
  const names = new Map<string, string>();
  return given.map((message, at) => {
    if (!isObject(message)) return misfit(`answered a message (${at}) that is not an object`);
    const before = shown.findIndex((candidate, place) => place >= at && same(candidate, message));
    const found = before >= 0 ? before : shown.findIndex((candidate) => same(candidate, message));
    const calls = listField(message, 'tool_calls')?.map((call) => readCall(call));
    for (const call of calls ?? []) names.set(call.id, call.name);
    return found >= 0 ? own[found] : readMessage(message, calls, names);
  });
}

function readMessage(message: Obj, calls: readonly OwnCall[] | undefined, names: ReadonlyMap<string, string>): unknown {
  const role = textField(message, 'role') ?? misfit('answered a message without a role');
  const content = textField(message, 'content') ?? '';
  if (role === 'tool') {
    const toolCallId = textField(message, 'tool_call_id') ?? '';
    return { role, toolCallId, toolName: names.get(toolCallId) ?? '', content };
  }
  if (role !== 'assistant') return { role, content };
  const reasoning = textField(message, 'reasoning_content');
  return {
    role,
    content,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(calls === undefined ? {} : { toolCalls: calls }),
  };
}

/** A tool call in PicoClaw's words: the arguments are a text of JSON, or, leniently, an object. */
export function readCall(call: unknown, before?: OwnCall): OwnCall {
  if (!isObject(call)) return misfit('answered a tool call that is not an object');
  const fn = objectField(call, 'function');
  const name = textField(fn, 'name') || textField(call, 'name') || misfit('answered a tool call without a name');
  const input = readArguments(field(fn, 'arguments') ?? field(call, 'arguments'));
  const ours = canonical(name, input, before?.input);
  return { id: textField(call, 'id') ?? '', name: ours.tool, input: ours.input };
}

function readArguments(given: unknown): Obj {
  if (given === undefined || given === null || given === '') return {};
  if (isObject(given)) return given;
  if (typeof given !== 'string') return misfit('answered arguments that are neither text nor object');
  let parsed: unknown;
  try {
    parsed = JSON.parse(given, (key, value: unknown) => (key === '__proto__' ? undefined : value));
  } catch {
    return misfit('answered arguments that are not JSON');
  }
  return isObject(parsed) ? parsed : misfit('answered arguments that are not an object');
}

/** Tool calls that came back. One that is as it was shown is the very one of before; one of a known id is that, edited. */
export function readCalls(given: readonly unknown[], own: readonly unknown[]): unknown[] {
  const shown = own.map(shownCall);
  return given.map((call) => {
    const at = shown.findIndex((one) => same(one, call));
    if (at >= 0) return own[at];
    const id = isObject(call) ? textField(call, 'id') : undefined;
    return readCall(
      call,
      (own as readonly OwnCall[]).find((one) => one.id === id),
    );
  });
}

export function shownTool(tool: unknown): unknown {
  if (!isObject(tool)) return tool;
  const { name, description, inputSchema } = tool;
  return { type: 'function', function: { name, description, parameters: inputSchema } };
}

export function readTool(tool: unknown): unknown {
  const fn = isObject(tool) ? objectField(tool, 'function') : undefined;
  const name = textField(fn, 'name') ?? misfit('answered a tool without a name');
  return {
    name,
    description: textField(fn, 'description') ?? '',
    inputSchema: objectField(fn, 'parameters') ?? { type: 'object' },
  };
}
