import { agentNotices } from './agent.ts';
import type { NoticeData } from './define.ts';
import { engineNotices } from './engine.ts';
import { hostNotices } from './host.ts';

/** Every notice, each once. */
export const notices = { ...agentNotices, ...engineNotices, ...hostNotices } as const;

export type NoticeName = keyof typeof notices;
/** The data of each notice. */
export type NoticeMap = { readonly [N in NoticeName]: NoticeData<(typeof notices)[N]> };
