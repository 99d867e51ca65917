import { TrotlineError } from '@trotline/engine';
import type { SessionInfo, Sessions } from '../records/index.ts';

/** The session of an id or of the beginning of one. Throws `cli.no-session`. */
export async function sessionOf(sessions: Sessions, id: string): Promise<SessionInfo> {
  const whole = id === '' ? undefined : await sessions.load(id);
  if (whole !== undefined) return whole.info;
  const found =
    id === '' ? [] : (await sessions.list({ limit: 10_000 })).filter((session) => session.id.startsWith(id));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw new TrotlineError('cli.no-session', {
    what: only === undefined ? `there is no session ${id}` : `${found.length} sessions begin with ${id}`,
  });
}
