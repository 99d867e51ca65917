import { type ModelRequest as LineRequest, TrotlineError } from '@trotline/engine';
import type { Message, ModelOptions, ModelRequest, ToolDefinition } from '../models/types.ts';
import { isMessage } from './rows.ts';

/** What hooks made of a request, looked at before it is sent. Throws `agent.bad-request` naming what is wrong. */
export function readRequest({ model, messages, tools, options, effort }: LineRequest): ModelRequest {
  messages.forEach((message, at) => {
    if (!isMessage(message))
      throw badRequest(`messages[${at}] is no message`, '{role, content, …} with content a string');
  });
  tools.forEach((tool, at) => {
    if (!isTool(tool)) throw badRequest(`tools[${at}] is no tool`, '{name, description, inputSchema}');
  });
  return {
    model,
    messages: messages as readonly Message[],
    tools: tools as readonly ToolDefinition[],
    options: readOptions(options),
    ...(effort === undefined ? {} : { effort }),
  };
}

function badRequest(what: string, expected: string): TrotlineError {
  return new TrotlineError('agent.bad-request', {
    what: `a hook made a request that cannot be sent: ${what}`,
    expected,
  });
}

function isTool(value: unknown): value is ToolDefinition {
  if (typeof value !== 'object' || value === null) return false;
  const { name, description, inputSchema } = value as Record<string, unknown>;
  return (
    typeof name === 'string' &&
    typeof description === 'string' &&
    typeof inputSchema === 'object' &&
    inputSchema !== null
  );
}

function readOptions(options: Readonly<Record<string, unknown>>): ModelOptions {
  const { max_tokens, temperature, stop, extra_body } = options;
  return {
    ...(isRecord(extra_body) ? { extra_body } : {}),
    ...(isPositive(max_tokens) ? { max_tokens } : {}),
    ...(typeof temperature === 'number' && Number.isFinite(temperature) ? { temperature } : {}),
    ...(Array.isArray(stop) && stop.every((one) => typeof one === 'string') ? { stop } : {}),
  };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPositive = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0;
