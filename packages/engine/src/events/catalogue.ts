import type { EventData, EventResult } from './define.ts';
import { agentEvents } from './families/agent.ts';
import { classicSessionEvents } from './families/classicSession.ts';
import { classicToolEvents } from './families/classicTools.ts';
import { classicWorkEvents } from './families/classicWork.ts';
import { commandEvents } from './families/command.ts';
import { ourEvents } from './families/ours.ts';
import { pluginEvents } from './families/plugin.ts';
import { promptEvents } from './families/prompt.ts';
import { sessionEvents } from './families/session.ts';
import { toolEvents } from './families/tool.ts';
import { turnEvents } from './families/turn.ts';
import { uiEvents } from './families/ui.ts';
import { fileOps } from './ops/files.ts';
import { screenOps } from './ops/screen.ts';
import { sessionOps } from './ops/session.ts';
import { talkOps } from './ops/talk.ts';
import { worldOps } from './ops/world.ts';

/** Every op, each once: the methods of `$`, and the events their calls are. */
export const ops = { ...fileOps, ...worldOps, ...sessionOps, ...talkOps, ...screenOps } as const;

/** Every event, each once. */
export const events = {
  ...toolEvents,
  ...promptEvents,
  ...commandEvents,
  ...turnEvents,
  ...sessionEvents,
  ...agentEvents,
  ...pluginEvents,
  ...uiEvents,
  ...ourEvents,
  ...classicToolEvents,
  ...classicSessionEvents,
  ...classicWorkEvents,
  ...ops,
} as const;

export type EventName = keyof typeof events;
export type OpName = keyof typeof ops;

/** The data of each event. */
export type EventMap = {
  readonly [N in EventName]: {
    readonly e: EventData<(typeof events)[N]>;
    readonly result: EventResult<(typeof events)[N]>;
  };
};

/** Engine events that are methods of `$` too, with their own arguments and results. */
export const callable = [
  'tool.call',
  'tool.check',
  'command.run',
  'config.set',
  'prompt.submit',
  'prompt.fill',
  'prompt.suggest',
  'prompt.compose',
  'agent.spawn',
  'session.send',
  'session.append',
  'session.compact',
  'ui.scroll',
  'ui.focus',
  'telemetry.log',
  'telemetry.mark',
] as const satisfies readonly EventName[];

export type CallableName = (typeof callable)[number];
