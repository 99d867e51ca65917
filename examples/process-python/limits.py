#!/usr/bin/env python3
"""Gives every command ten seconds at most, and the model no more than 2,000 characters of what it printed.

One JSON object a line: requests come on stdin, one answer for each goes to stdout. stderr is for diagnostics.
"""
import json
import sys

SECONDS = 10
CHARACTERS = 2000


def before_tool(params):
    arguments = params["arguments"]
    if "command" not in arguments or 0 < arguments.get("timeout", 0) <= SECONDS:
        return {"action": "continue"}
    return {"action": "modify", "call": {"arguments": {**arguments, "timeout": SECONDS}}}


def after_tool(params):
    text = params["result"]["for_llm"]
    if len(text) <= CHARACTERS:
        return {"action": "continue"}
    cut = f"{text[:CHARACTERS]}\n… {len(text) - CHARACTERS} more characters"
    return {"action": "modify", "result": {"for_llm": cut}}


HANDLERS = {
    "hook.hello": lambda params: {"name": "limits"},
    "hook.before_tool": before_tool,
    "hook.after_tool": after_tool,
}

for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue  # a notification: nobody waits for an answer
    handler = HANDLERS.get(request["method"], lambda params: {})
    answer = {"jsonrpc": "2.0", "id": request["id"], "result": handler(request.get("params") or {})}
    print(json.dumps(answer), flush=True)
