import { surface } from '../families/parts.ts';
import { type Shape, t } from '../shape.ts';
import { defineOp, given } from './define.ts';

const ask = <const N extends string, V>(name: N, doc: string, value: Shape<V>) =>
  defineOp({ name, doc, fields: {}, args: () => ({}), value, changes: false });

/** What a mod declares of a command. */
export interface CommandSpec {
  readonly name: string;
  readonly description: string;
  readonly argumentHint?: string;
  readonly immediate?: true;
  readonly aliases?: readonly string[];
  readonly isHidden?: boolean;
}

/** What a mod declares of a tool. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  readonly isDeferred?: boolean;
}

/** Ops that ask about or act on the session, its turns, tools, commands and agents. */
export const sessionOps = {
  'session.cwd': ask('session.cwd', 'The working directory.', t.string),
  'session.root': ask('session.root', 'The root of the project.', t.string),
  'session.model': ask('session.model', 'The name of the model.', t.string),
  'session.turns': ask('session.turns', 'How many turns there were.', t.number),
  'session.id': ask('session.id', 'The id of the session.', t.string),
  'session.repo': ask('session.repo', 'The repository, or null.', t.nullable(t.data)),
  'session.surface': ask('session.surface', 'The first surface, or null.', surface),
  'session.surfaces': ask('session.surfaces', 'The connected surfaces.', t.list(t.json)),
  'session.authorize': ask(
    'session.authorize',
    'A handle to the session’s credentials for `http.fetch`, or null.',
    t.nullable(t.data),
  ),
  'session.version': ask('session.version', 'The version of the host.', t.object({ version: t.string })),
  'session.messages': defineOp({
    name: 'session.messages',
    doc: 'The newest 4,096 messages of the conversation, or of a subagent’s.',
    fields: { agentId: t.optional(t.string), as: t.optional(t.oneOf('api')) },
    args: (options: { readonly agentId?: string; readonly as?: 'api' } = {}) =>
      given({ agentId: options.agentId, as: options.as }),
    value: t.json,
    changes: false,
  }),
  'session.usage': defineOp({
    name: 'session.usage',
    doc: 'What the session used.',
    fields: { breakdown: t.optional(t.oneOf('summary', 'full')), columns: t.optional(t.number) },
    args: (options: { readonly breakdown?: 'summary' | 'full'; readonly columns?: number } = {}) =>
      given({ breakdown: options.breakdown, columns: options.columns }),
    value: t.data,
    changes: false,
  }),
  'turn.abort': defineOp({
    name: 'turn.abort',
    doc: 'Ends a running turn.',
    fields: { turnId: t.string },
    args: ({ turnId }: { readonly turnId: string }) => ({ turnId }),
    value: t.json,
    changes: true,
  }),
  'prompt.read': ask('prompt.read', 'The draft in the prompt box.', t.object({ text: t.string, cursor: t.number })),
  'tool.list': ask('tool.list', 'The tools there are.', t.list(t.data)),
  'command.list': ask('command.list', 'The commands there are.', t.list(t.data)),
  'config.list': ask('config.list', 'The rows of the configuration.', t.list(t.data)),
  'agent.list': ask('agent.list', 'The subagents of this session.', t.list(t.data)),
  'tool.register': defineOp({
    name: 'tool.register',
    doc: 'Adds a tool of the mod’s own, `mcp__<plugin>__<name>`.',
    fields: { name: t.string, description: t.string, inputSchema: t.data, isDeferred: t.optional(t.boolean) },
    args: ({ name, description, inputSchema, isDeferred }: ToolSpec) =>
      given({ name, description, inputSchema: inputSchema ?? { type: 'object' }, isDeferred }),
    value: t.json,
    changes: true,
  }),
  'command.register': defineOp({
    name: 'command.register',
    doc: 'Adds a command.',
    fields: {
      name: t.string,
      description: t.string,
      argumentHint: t.optional(t.string),
      immediate: t.optional(t.oneOf(true)),
      aliases: t.optional(t.list(t.string)),
      isHidden: t.optional(t.boolean),
      isTerminalOnly: t.optional(t.boolean),
      isWorkspaceFree: t.optional(t.boolean),
    },
    args: (spec: CommandSpec) => ({ ...spec }),
    value: t.json,
    changes: true,
  }),
  'agent.register': defineOp({
    name: 'agent.register',
    doc: 'Adds a kind of subagent, `<plugin>:<name>`.',
    fields: {
      name: t.string,
      description: t.string,
      prompt: t.string,
      tools: t.optional(t.list(t.string)),
      disallowedTools: t.optional(t.list(t.string)),
      model: t.optional(t.string),
      effort: t.optional(t.json),
      permissionMode: t.optional(t.string),
      mcpServers: t.optional(t.json),
      hooks: t.optional(t.json),
      maxTurns: t.optional(t.number),
      skills: t.optional(t.json),
      initialPrompt: t.optional(t.string),
      memory: t.optional(t.json),
      background: t.optional(t.boolean),
      omitClaudeMd: t.optional(t.boolean),
      isolation: t.optional(t.json),
    },
    args: (spec: { readonly name: string; readonly description: string; readonly prompt: string }) => ({ ...spec }),
    value: t.json,
    changes: true,
  }),
} as const;
