import { z } from 'zod';

const MAX_MS = 2_147_483_647;

const milliseconds = (doc: string) => z.int().max(MAX_MS).optional().describe(`${doc} In milliseconds.`);
const strings = z.array(z.string());

const onError = z
  .enum(['continue', 'deny', 'abort', 'open', 'closed', 'ask'])
  .optional()
  .describe(
    'What a failure of the hook means: continue (open) goes on without it, deny (closed) refuses the call, ask asks a person, abort ends the turn.',
  );

const worker = z
  .union([z.boolean(), z.literal('own')])
  .optional()
  .describe('Where the module runs: false in this process, true or "own" in a worker thread of its own.');

const defaults = z
  .strictObject({
    observer_timeout_ms: milliseconds('How long an observer may take. 500 unless set.'),
    interceptor_timeout_ms: milliseconds('How long a hook on the way may take. 5000 unless set.'),
    approval_timeout_ms: milliseconds('How long an approving hook may take. 60000 unless set.'),
    handshake_timeout_ms: milliseconds('How long a process may take to answer hook.hello. 30000 unless set.'),
  })
  .describe('Times for hooks that set none. They hold for the hooks of this file and of files with less authority.');

const common = {
  enabled: z.boolean().optional().describe('Whether the hook runs. False unless set.'),
  priority: z.int().optional().describe('Order among hooks of the same owner: smaller is earlier. 0 unless set.'),
  on_error: onError,
  timeout_ms: milliseconds('How long one call of the hook may take.'),
  approval_timeout_ms: milliseconds('How long one approval by the hook may take.'),
};

const builtin = z
  .strictObject({
    ...common,
    module: z
      .string()
      .min(1)
      .optional()
      .describe(
        'File of the module, relative to this file. Without it, a factory the program registered by this name.',
      ),
    worker,
    config: z.unknown().optional().describe('Handed to the hook as it stands.'),
  })
  .describe('A hook that is a module of JavaScript or TypeScript.');

const restart = z
  .union([
    z.boolean(),
    z.strictObject({
      enabled: z.boolean().optional().describe('Whether a process that ended is started again. True unless set.'),
      max: z.int().min(0).max(1000).optional().describe('Restarts within the window before giving up. 5 unless set.'),
      window_ms: milliseconds('The window. 60000 unless set.'),
      backoff_ms: milliseconds('Wait before the first restart, doubled for each further one. 250 unless set.'),
    }),
  ])
  .optional()
  .describe('Whether and how a process that ended is started again.');

const process = z
  .strictObject({
    ...common,
    transport: z.string().optional().describe('How to talk to the process. Only "stdio" exists.'),
    command: strings.optional().describe('Program and arguments, one string each. No shell.'),
    dir: z.string().optional().describe('Working directory of the process, relative to that of trotline.'),
    env: z.record(z.string(), z.string()).optional().describe('Variables added to the environment of the process.'),
    env_allow: strings.optional().describe('Names of the only variables passed on from the environment of trotline.'),
    observe: strings.optional().describe('Events the hook is told of. "*" is all of them.'),
    intercept: strings
      .optional()
      .describe('Points at which the hook may act: before_llm, after_llm, before_tool, after_tool, approve_tool.'),
    dialect: z.enum(['auto', 'docs', 'upstream']).optional().describe('Spelling of the messages. "auto" unless set.'),
    restart,
  })
  .describe('A hook that is a program talking JSON-RPC over stdin and stdout.');

/** The `hooks` key: PicoClaw's, with additions that are all optional. */
export const hooksSchema = z
  .strictObject({
    enabled: z.boolean().optional().describe('False switches off the hooks this file has authority over.'),
    defaults: defaults.optional(),
    builtins: z.record(z.string(), builtin).optional().describe('Hooks that are modules, by name.'),
    processes: z.record(z.string(), process).optional().describe('Hooks that are programs, by name.'),
  })
  .describe('Hooks, as PicoClaw writes them.');

const rule = z
  .union([
    z.string(),
    z.strictObject({
      tool: z.string().describe('Name of the tool, possibly with * and ?.'),
      pattern: z.string().optional().describe("Pattern for the tool's main argument."),
      match: z.record(z.string(), z.string()).optional().describe('Patterns by argument name. All must match.'),
      reason: z.string().max(1000).optional().describe('Told to whoever is refused or asked.'),
    }),
  ])
  .describe('TOOL, TOOL:pattern, or an object.');

const policy = z
  .strictObject({
    allow: z.array(rule).optional().describe('Calls that run without asking.'),
    ask: z.array(rule).optional().describe('Calls that a person is asked about.'),
    deny: z.array(rule).optional().describe('Calls that never run.'),
  })
  .describe('Which tool calls run, which are asked about, which never run.');

const model = z
  .union([
    z.string(),
    z.strictObject({
      name: z.string().describe('provider/model, or script:FILE.'),
      base_url: z.string().optional().describe('Address of the provider. Not in a project.'),
      api_key_env: z.string().optional().describe('Name of the variable that holds the key. Not in a project.'),
      max_output_tokens: z.int().min(1).optional().describe('Longest answer.'),
      temperature: z.number().min(0).max(2).optional().describe('Randomness of the answer.'),
      options: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('Further keys of the request, as the provider names them: top_p, seed, thinking. Not in a project.'),
    }),
  ])
  .describe('The model of the agent: provider/model, or an object.');

const sources = (doc: string) =>
  z
    .array(
      z.union([
        z.string(),
        z.strictObject({
          path: z.string().describe('Relative to this file.'),
          name: z.string().optional().describe('The last part of the path unless set.'),
          enabled: z.boolean().optional().describe('True unless set.'),
          worker,
          on_error: onError,
          timeout_ms: milliseconds('How long one call may take.'),
          options: z.record(z.string(), z.unknown()).optional().describe('Handed over as they stand.'),
        }),
      ]),
    )
    .describe(doc);

const managed = z
  .strictObject({
    hooks_may_override_deny: z.boolean().optional().describe("Lets a hook loosen a rule's deny."),
    managed_hooks_only: z.boolean().optional().describe('Only hooks of the managed file run.'),
    managed_mods_only: z.boolean().optional().describe('Only mods of the managed file run.'),
  })
  .describe('Counts only in the managed file.');

const mcpServer = z
  .strictObject({
    command: strings.describe('Program and arguments, one string each. No shell.'),
    env: z
      .record(z.string(), z.string())
      .optional()
      .describe('Variables for the server, beside PATH, HOME and the like. Nothing else is passed on.'),
    dir: z.string().optional().describe('Working directory of the server, relative to that of trotline.'),
    enabled: z.boolean().optional().describe('Whether it is started. True unless set.'),
  })
  .describe('An MCP server that is started as a process and spoken to over its standard streams.');

// One underscore at a time, none at an end: `mcp__a__*` in a rule must never mean a tool of another server than `a`.
const serverName = z
  .string()
  .max(64, '1 to 64 characters')
  .regex(/^[A-Za-z0-9-]+(_[A-Za-z0-9-]+)*$/, 'letters, digits, - and single _ between them, 64 characters at most');

/** A whole `trotline.json`. */
export const configSchema = z
  .strictObject({
    $schema: z.string().optional().describe('Address of this schema, for editors.'),
    extends: z
      .union([z.string(), strings])
      .optional()
      .describe('Files this one builds on, relative to it. What stands here wins.'),
    hooks: hooksSchema.optional(),
    policy: policy.optional(),
    model: model.optional(),
    approvals: z
      .strictObject({
        answered: z
          .enum(['pass', 'check'])
          .optional()
          .describe('Whether an answer that a hook gives for a registered tool is checked first. "pass" unless set.'),
        expire_ms: z
          .int()
          .min(1)
          .optional()
          .describe('How long an approval stays open. In milliseconds. Seven days unless set.'),
      })
      .optional()
      .describe('How a person is asked.'),
    records: z
      .strictObject({
        dir: z.string().min(1).optional().describe('Folder of the records, relative to this file.'),
      })
      .optional()
      .describe('Where records are kept.'),
    extensions: sources('Containers of OpenClacky.').optional(),
    mods: sources('Mods of Claude Code.').optional(),
    settings: sources('Settings files of Claude Code whose hooks run.').optional(),
    agent: z
      .strictObject({
        max_iterations: z.int().min(1).optional().describe('Model requests in one turn.'),
        compact_at_tokens: z.int().min(1).optional().describe('Length at which the conversation is compacted.'),
        parallel_tools: z.boolean().optional().describe('Runs read-only tools side by side. False unless set.'),
        tools: strings.optional().describe('The only tools the model is offered.'),
        system: z.string().optional().describe('Added to the system prompt.'),
        mcp_servers: z
          .record(serverName, mcpServer)
          .optional()
          .describe(
            'MCP servers by name. Their tools are mcp__NAME__TOOL; they ask, or are denied, unless a rule allows.',
          ),
      })
      .optional()
      .describe('The agent of trotline itself.'),
    managed: managed.optional(),
  })
  .describe('Configuration of Trotline.');

/** A PicoClaw `config.json`, as far as it is read. */
export const picoclawSchema = z.strictObject({ hooks: hooksSchema.optional() });

export type ConfigFile = z.infer<typeof configSchema>;
export type HooksFile = z.infer<typeof hooksSchema>;
