import type { Engine, EventMap, EventName, Maybe, NoticeMap, NoticeName } from '@trotline/engine';

type Data<N extends EventName> = EventMap[N]['e'];
type Result<N extends EventName> = EventMap[N]['result'];

/** Raises an event whose bottom is this agent's own doing. Rejects with control, and with what the bottom throws. */
export function raise<N extends EventName>(
  engine: Engine,
  event: N,
  e: Data<N>,
  bottom: (e: Data<N>) => Maybe<Result<N>>,
  signal?: AbortSignal,
): Promise<Result<N>> {
  return engine.raise(event, e, { bottom, ...(signal === undefined ? {} : { signal }) });
}

/** States a fact of the catalogue. */
export function notify<N extends NoticeName>(engine: Engine, name: N, data: NoticeMap[N]): void {
  engine.notice(name, data as Readonly<Record<string, unknown>>);
}
