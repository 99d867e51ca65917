import type { CommandSpec, OptionSpec } from './command.ts';

const configuration: readonly OptionSpec[] = [
  { flags: '--config <file>', doc: 'a configuration in place of the project’s; it needs no trust' },
  { flags: '--trust', doc: 'trust the project’s configuration as it is now, for this run' },
];

const workFolder: OptionSpec = {
  flags: '--cwd <dir>',
  doc: 'only where tools work; trotline.json is still searched from the shell’s folder (name another with --config)',
};

/** For commands that show: what somebody gets who stands there. */
const standFolder: OptionSpec = { flags: '--cwd <dir>', doc: 'as if you stood in this folder' };

const looking: readonly OptionSpec[] = [...configuration, standFolder];

const working: readonly OptionSpec[] = [
  { flags: '--model <name>', doc: 'provider/model, or script:FILE for written turns' },
  ...configuration,
  workFolder,
  {
    flags: '--allow <tool[:pattern]>',
    doc: 'a tool that may run without asking; * for all; repeatable',
    many: true,
    values: 'tools',
  },
  { flags: '--continue', doc: 'go on with the last session of this folder' },
  { flags: '--resume [id]', doc: 'go on with a stored session', values: 'sessions' },
  { flags: '--trace', doc: 'show on stderr what each hook does, as it happens' },
  { flags: '--no-hooks', doc: 'seat no hook of any file; recorded' },
  { flags: '--keep-going', doc: 'start although a closed hook cannot; what it guards is denied' },
  { flags: '--max-iterations <n>', doc: 'how often the model may be asked in one turn' },
];

/** Every command, in the order of the help. */
export const commands: readonly CommandSpec[] = [
  {
    name: 'run',
    args: [['[task]', 'what to do; - reads it from stdin']],
    doc: 'Give the agent one task, with everyone’s hooks on the line.',
    options: working,
    examples: [
      ['trotline run "list the files" --model anthropic/claude-sonnet-4-5', 'with a model'],
      ['trotline run "list the files" --model script:turns.json', 'with written turns, no key'],
      ['git diff | trotline run - --allow Read', 'the task from stdin; Read runs unasked'],
      ['trotline run "run the tests" --allow "Bash:npm test*" --json', 'events, one JSON object a line'],
    ],
    load: async () => (await import('./commands/run.ts')).run,
  },
  {
    name: 'chat',
    doc: 'Talk with the agent. What you type while it works steers it.',
    options: working,
    examples: [
      ['trotline chat --model anthropic/claude-sonnet-4-5', '/help shows the commands within'],
      ['trotline chat --continue', 'where you left off in this folder'],
    ],
    load: async () => (await import('./commands/chat.ts')).chat,
  },
  {
    name: 'demo',
    doc: 'See hooks at work: a real agent with real tools, written turns, no key, no network.',
    options: [
      { flags: '--live', doc: 'the same with a live model; needs a key in the environment' },
      { flags: '--model <name>', doc: 'which live model' },
      { flags: '--keep', doc: 'leave the folder to look at' },
    ],
    examples: [
      ['trotline demo', 'half a minute, nothing of yours is touched'],
      ['trotline demo --live', 'with the model whose key the environment holds'],
    ],
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  {
    name: 'init',
    doc: 'Write a commented trotline.json and a first hook, and try the hook out.',
    options: [
      { flags: '--lang <lang>', doc: 'the language of the hook', choices: ['ts', 'python', 'sh'] },
      { flags: '--cwd <dir>', doc: 'where to write' },
      { flags: '--force', doc: 'replace files that exist' },
    ],
    examples: [
      ['trotline init', 'asks for the language'],
      ['trotline init --lang python', 'a process hook in Python'],
    ],
    load: async () => (await import('./commands/init.ts')).init,
  },
  {
    name: 'hooks',
    args: [['[event]', 'only the links of this event', 'events']],
    doc: 'Show who stands on the line, in the order they are called.',
    options: looking,
    examples: [
      ['trotline hooks', 'every event that somebody stands on'],
      ['trotline hooks tool.call --json', 'one event, for programs'],
    ],
    load: async () => (await import('./commands/hooks.ts')).hooks,
  },
  {
    name: 'explain',
    args: [
      ['<event>', 'an event, or a tool for its tool.call', 'events and tools'],
      ['[pairs...]', 'fields as name=value'],
    ],
    doc: 'Explain what would happen to one event: who matches and why not, in what order, and what the rules say.',
    options: [
      ...looking,
      { flags: '--input <json>', doc: 'the fields as a JSON object' },
      { flags: '--run', doc: 'really ask the hooks what they say; nothing beneath them runs' },
    ],
    examples: [
      ['trotline explain Bash command="rm -rf build"', 'a tool call'],
      ['trotline explain Bash --input \'{"command":"ls"}\' --run', 'ask the hooks for their verdict'],
      ['trotline explain turn.start', 'any event'],
    ],
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  {
    name: 'events',
    args: [['[name]', 'an event, in full', 'events']],
    doc: 'The catalogue of events: when each is raised, with what, and what a hook may answer.',
    examples: [
      ['trotline events', 'all of them'],
      ['trotline events tool.call', 'one, with its fields and results'],
    ],
    load: async () => (await import('./commands/events.ts')).events,
  },
  {
    name: 'trust',
    args: [['[path]', 'a trotline.json or its folder; default: the project’s']],
    doc: 'Trust a project’s configuration as it is now. A change of any file it names ends the trust.',
    options: [
      { flags: '--list', doc: 'show what is trusted' },
      { flags: '--revoke', doc: 'end the trust' },
      { flags: '--yes', doc: 'do not ask' },
    ],
    examples: [
      ['trotline trust', 'shows what would run, and asks'],
      ['trotline trust --list', 'what is trusted'],
      ['trotline trust ../project --revoke', 'not any more'],
    ],
    load: async () => (await import('./commands/trust.ts')).trust,
  },
  {
    name: 'check',
    doc: 'Check that the configuration and its modules load. Exit 2 with the exact faults.',
    options: looking,
    examples: [
      ['trotline check', 'the configuration of this folder'],
      ['trotline check --config trotline.json', 'one file, whether trusted or not'],
    ],
    load: async () => (await import('./commands/check.ts')).check,
  },
  {
    name: 'doctor',
    doc: 'Look for what keeps trotline from working here, and say what to do.',
    options: [
      ...looking,
      { flags: '--model <name>', doc: 'the model to look at; default: the configured one' },
      { flags: '--online', doc: 'also try to reach the model' },
    ],
    examples: [
      ['trotline doctor', 'nothing leaves this machine'],
      ['trotline doctor --online', 'asks the model for one word'],
    ],
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'log',
    doc: 'Show recorded decisions: what was allowed, denied or answered, and by whom.',
    options: [
      { flags: '--session <id>', doc: 'of one session; the beginning of its id is enough', values: 'sessions' },
      { flags: '--tool <name>', doc: 'of one tool', values: 'tools' },
      { flags: '--decision <kind>', doc: 'of one kind', choices: ['allow', 'deny', 'answered'] },
      { flags: '--cwd <dir>', doc: 'of this folder only' },
      { flags: '--limit <n>', doc: 'how many, the newest; default 20' },
    ],
    examples: [
      ['trotline log', 'the last twenty'],
      ['trotline log --decision deny --json', 'one JSON object a line'],
      ['trotline log --cwd .', 'of sessions in this folder'],
    ],
    load: async () => (await import('./commands/log.ts')).log,
  },
  {
    name: 'logs',
    args: [['[hook]', 'whose log; without it, all that there are', 'hooks']],
    doc: 'Show what hooks printed on stderr or wrote to their log.',
    options: [{ flags: '--lines <n>', doc: 'how many, the newest; default 100' }],
    examples: [
      ['trotline logs', 'which hooks have one'],
      ['trotline logs first-hook', 'its last lines'],
    ],
    load: async () => (await import('./commands/logs.ts')).logs,
  },
  {
    name: 'sessions list',
    doc: 'List stored sessions.',
    options: [
      { flags: '--cwd <dir>', doc: 'of this folder only' },
      { flags: '--limit <n>', doc: 'how many, the newest; default 20' },
    ],
    examples: [['trotline sessions list', 'the newest first']],
    load: async () => (await import('./commands/sessions.ts')).list,
  },
  {
    name: 'sessions show',
    args: [['<id>', 'the session, or the beginning of its id', 'sessions']],
    doc: 'Show one session.',
    examples: [['trotline sessions show 3f2a', 'the beginning of an id is enough']],
    load: async () => (await import('./commands/sessions.ts')).show,
  },
  {
    name: 'schema',
    doc: 'Print the JSON Schema of trotline.json.',
    examples: [['trotline schema > trotline.schema.json', 'for an editor without network']],
    load: async () => (await import('./commands/schema.ts')).schema,
  },
  {
    name: 'completion',
    args: [
      ['<shell>', 'bash, zsh or fish', 'shells'],
      ['[of]', 'for the scripts themselves: completion words hooks, or sessions'],
    ],
    doc: 'Print a completion script.',
    examples: [
      ['source <(trotline completion bash)', 'in ~/.bashrc'],
      ['trotline completion zsh > ~/.zfunc/_trotline', 'zsh'],
      ['trotline completion fish > ~/.config/fish/completions/trotline.fish', 'fish'],
    ],
    load: async () => (await import('./commands/completion.ts')).completion,
  },
];
