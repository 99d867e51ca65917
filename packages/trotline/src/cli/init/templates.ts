export type Lang = 'ts' | 'python' | 'sh';

export interface Template {
  readonly label: string;
  /** Relative to the folder of the configuration. */
  readonly file: string;
  readonly text: string;
  readonly executable: boolean;
  /** The entry under `hooks`. */
  readonly entry: string;
}

const typescript = `import type { Registrar } from '@trotline/engine';

/** A first hook: it refuses commands that delete recursively, and lets everything else pass. */
export const register = (on: Registrar['on']): void => {
  on('tool.call', { tool: 'Bash' }, (_$, e, next) => {
    // e is frozen. Return without next to answer, call next({ ...e, command: '…' }) to rewrite, next(e) to pass on.
    if (/\\brm\\s+-\\w*r/.test(String(e.command))) return { deny: 'first-hook: nothing is deleted recursively here' };
    return next(e);
  });
};
`;

const python = `#!/usr/bin/env python3
"""A first hook: it refuses commands that delete recursively, and lets everything else pass.

One JSON object a line: requests come on stdin, one answer for each goes to stdout. stderr is for diagnostics.
"""
import json
import re
import sys

DELETES = re.compile(r"\\brm\\s+-\\w*r")


def before_tool(params):
    command = str((params.get("arguments") or {}).get("command", ""))
    if DELETES.search(command):
        return {"action": "deny_tool", "reason": "first-hook: nothing is deleted recursively here"}
    return {"action": "continue"}


HANDLERS = {
    "hook.hello": lambda params: {"name": "first-hook"},
    "hook.before_tool": before_tool,
}

for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue  # a notification: nobody waits for an answer
    handler = HANDLERS.get(request.get("method"), lambda params: {})
    answer = {"jsonrpc": "2.0", "id": request["id"], "result": handler(request.get("params") or {})}
    print(json.dumps(answer), flush=True)
`;

const shell = `#!/bin/sh
# A first hook: it refuses commands that delete recursively, and lets everything else pass.
# One JSON object a line: requests come on stdin, one answer for each goes to stdout. stderr is for diagnostics.

answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$1" "$2"; }

while IFS= read -r line; do
  head=\${line%%'"params":'*} # what follows comes from elsewhere and may say anything
  case $head in *'"id":'*) ;; *) continue ;; esac # a notification: nobody waits for an answer
  id=\${head#*'"id":'}
  id=\${id%%[!0-9]*}
  method=\${head#*'"method":"'}
  method=\${method%%'"'*}
  case $method in
    hook.hello) answer "$id" '{"name":"first-hook"}' ;;
    hook.before_tool)
      # Everything from the command on is looked at: a quote inside it must not end the search.
      case \${line#*'"command":"'} in
        *'rm -r'* | *'rm -fr'*)
          answer "$id" '{"action":"deny_tool","reason":"first-hook: nothing is deleted recursively here"}' ;;
        *) answer "$id" '{"action":"continue"}' ;;
      esac ;;
    *) answer "$id" '{}' ;;
  esac
done
`;

const process = (
  command: string,
): string => `    // Programs that speak JSON-RPC over stdin and stdout. They are started once and stay.
    // Relative paths count from where trotline is started.
    "processes": {
      "first-hook": {
        "enabled": true,
        "command": ${command},
        // before_llm, after_llm, before_tool, after_tool, approve_tool
        "intercept": ["before_tool"],
        // What a failure of the hook means: "deny" refuses the call, "continue" goes on without the hook.
        "on_error": "deny"
      }
    }`;

export const templates: Readonly<Record<Lang, Template>> = {
  ts: {
    label: 'TypeScript, in this process',
    file: 'hooks/first-hook.ts',
    text: typescript,
    executable: false,
    entry: `    // Modules of JavaScript or TypeScript. They need no build step.
    "builtins": {
      "first-hook": {
        "enabled": true,
        "module": "./hooks/first-hook.ts",
        // What a failure of the hook means: "deny" refuses the call, "continue" goes on without the hook.
        "on_error": "deny"
      }
    }`,
  },
  python: {
    label: 'Python, a process of its own',
    file: 'hooks/first_hook.py',
    text: python,
    executable: true,
    entry: process('["python3", "hooks/first_hook.py"]'),
  },
  sh: {
    label: 'POSIX shell, a process of its own',
    file: 'hooks/first-hook.sh',
    text: shell,
    executable: true,
    entry: process('["sh", "hooks/first-hook.sh"]'),
  },
};

/** The configuration around a first hook. */
export const configText = ({
  entry,
}: Template): string => `// What stands between an agent and the world in this project. Comments are allowed.
// All keys: trotline schema · who stands on the line: trotline hooks · what would happen: trotline explain Bash command=ls
{
  "hooks": {
${entry}
  },
  // Rules come after the hooks and have the last word: TOOL or TOOL:pattern. Deny goes before ask, ask before allow.
  "policy": {
    "ask": ["Bash:git push*"],
    "deny": ["Read:*.pem"]
  }
}
`;

/** What the hook is tried on: a call it must refuse and one it must let pass. */
export const samples = { refused: 'rm -rf build', passed: 'ls' } as const;
