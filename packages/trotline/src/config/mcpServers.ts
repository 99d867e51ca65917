import { resolve } from 'node:path';
import type { ReadContext } from './content.ts';
import { shown } from './document.ts';
import { absoluteProgram, checkVariables } from './hooks.ts';
import { checkPath } from './paths.ts';
import type { ConfigFile } from './schema.ts';
import type { McpServerEntry } from './types.ts';

type McpServersFile = NonNullable<ConfigFile['agent']>['mcp_servers'];

/** Reads `agent.mcp_servers`. Their names were checked with the schema. */
export function readMcpServers(context: ReadContext, servers: McpServersFile): readonly McpServerEntry[] {
  const { document, report, layer, cwd } = context;
  return Object.entries(servers ?? {}).flatMap(([name, file]): McpServerEntry[] => {
    const place = document.place(servers ?? {}, name, 'key');
    const enabled = file.enabled ?? true;
    const say = enabled ? report.error : report.warning;
    const [program = '', ...rest] = file.command;
    if (program === '')
      say('config.missing-value', document.place(file, 'command'), {
        what: `The MCP server "${shown(name)}" has no command`,
        expected: '"command": ["program", "argument"]',
      });
    checkVariables(context, file.env, say);
    const dir = file.dir === undefined || file.dir === '' ? cwd : resolve(cwd, file.dir);
    const check = { kind: 'folder', enabled, noun: `The folder of the MCP server "${shown(name)}"` } as const;
    if (dir !== cwd && !checkPath(context, dir, document.place(file, 'dir'), check)) return [];
    const command = program === '' ? [] : [absoluteProgram(program, cwd), ...rest];
    return [{ name, command, env: { ...file.env }, dir, enabled, layer, place }];
  });
}
