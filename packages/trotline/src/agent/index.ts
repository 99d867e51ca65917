export { createAgent } from './loop/agent.ts';
export type {
  Agent,
  AgentOptions,
  CallLog,
  OwnTurn,
  SessionStore,
  ShownChunk,
  SubagentType,
  SubmitOptions,
  TurnResult,
} from './loop/types.ts';
export { type ResolveOptions, resolveModel } from './models/resolve.ts';
export { createScriptModel } from './models/script.ts';
export { parseScript, readScriptFile, type ScriptFile } from './models/script-file.ts';
export type {
  Chunk,
  Message,
  Model,
  ModelOptions,
  ModelRequest,
  ModelResponse,
  ToolDefinition,
  Usage,
} from './models/types.ts';
export { builtinTools } from './tools/builtin.ts';
export { defineTool, type ToolSpec } from './tools/define.ts';
export type { McpServer } from './tools/mcp-transport.ts';
export type { Tool, ToolContext, ToolOutcome } from './tools/types.ts';
