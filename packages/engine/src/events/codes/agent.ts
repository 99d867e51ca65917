import { defineCodes } from './define.ts';

/** Errors of the agent: its models, its tools and its loop. */
export const agentCodes = defineCodes({
  'agent.no-model': {
    kind: 'error',
    doc: 'No model was named, or the name cannot be read.',
    remedy:
      'Name one as provider/model (anthropic/…, openai/…, any other with "base_url" under "model" in trotline.json), or ' +
      '--model script:FILE.',
  },
  'agent.no-key': {
    kind: 'error',
    doc: 'The model needs a key that the environment does not hold.',
    remedy: 'Set the variable, or see it all run without a key: trotline demo, or --model script:FILE.',
  },
  'agent.model-unreachable': {
    kind: 'error',
    doc: 'The model server could not be reached, after all retries.',
    remedy: 'Check that the address is right and the server runs, then try again.',
  },
  'agent.model-refused': {
    kind: 'error',
    doc: 'The model server answered with an error that a retry does not mend, or went on failing after all retries.',
    remedy: 'Read the server’s words above: key, model name, quota and request size are the usual causes.',
  },
  'agent.request-refused': {
    kind: 'error',
    doc: 'The model server refused a request as one that it cannot read.',
    remedy:
      'The turn is cut from the conversation before the next one, so that it can go on. Submit again in other words.',
  },
  'agent.model-cut': {
    kind: 'error',
    doc: 'The model’s stream ended before the answer was complete, and again after a fresh request.',
    remedy: 'No tool of the incomplete answer was run. Submit again when the connection is stable.',
  },
  'agent.model-timeout': {
    kind: 'error',
    doc: 'The model server was silent for longer than the request timeout.',
    remedy: 'Raise the request timeout, or try again later.',
  },
  'agent.context-full': {
    kind: 'error',
    doc: 'The conversation does not fit the model’s context window, even after compaction.',
    remedy: 'Start a new session, or use a model with a larger window.',
  },
  'agent.bad-request': {
    kind: 'error',
    doc: 'Hooks made a model request of which some part has no meaning.',
    remedy: 'Correct the hook that rewrites llm.request: trotline explain llm.request names those that can.',
  },
  'agent.iterations': {
    kind: 'error',
    doc: 'A turn made as many model requests as it may.',
    remedy: 'Submit again to go on, or raise agent.max_iterations.',
  },
  'agent.script-file': {
    kind: 'error',
    doc: 'A script of written model turns cannot be read.',
    remedy:
      'Correct the script: {"turns": [{"text": "…", "toolCalls": [{"name": "Bash", "input": {}}], "expect": []}]}.',
  },
  'agent.script-unmet': {
    kind: 'error',
    doc: 'A request did not meet what the script expected of it, or came after the script’s last turn.',
    remedy: 'Compare what was sent with the script: either the script or what it guards has changed.',
  },
  'agent.closed': {
    kind: 'error',
    doc: 'The agent takes no more prompts: it was closed, or a hook aborted its loop.',
    remedy: 'Create a new agent.',
  },
  'agent.busy': {
    kind: 'error',
    doc: 'A prompt was submitted while a turn is running.',
    remedy: 'Await the running turn, or hand the text to steer().',
  },
  'agent.mcp-failed': {
    kind: 'error',
    doc: 'An MCP server could not be started or does not speak the protocol.',
    remedy:
      'Run its command by hand, and correct it: agent.mcp_servers in trotline.json, or what createAgent was given.',
  },
  'agent.tool-input': {
    kind: 'error',
    doc: 'A tool was called with arguments that do not fit its schema.',
    remedy: 'Call the tool again with arguments that fit its schema.',
  },
  'agent.tool-failed': {
    kind: 'error',
    doc: 'A tool could not do what it was asked.',
    remedy: '',
  },
});
