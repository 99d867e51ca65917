export { PLAIN_ENVIRONMENT } from './env.ts';
export { PeerError } from './failure.ts';
export { signalGroup } from './group.ts';
export { ensureGuardian, guard } from './guardian.ts';
export { DEFAULT_LIMITS, DEFAULT_RESTART } from './limits.ts';
export { type LogFile, openLogFile } from './log-file.ts';
export { MARK, nextMark } from './marks.ts';
export { startPeer } from './peer.ts';
export { type ProcessGroup, spawnGroup } from './spawn.ts';
export type {
  Caller,
  CallOptions,
  Peer,
  PeerEnvironment,
  PeerFault,
  PeerHealth,
  PeerLimits,
  PeerOptions,
  PeerState,
  RestartPolicy,
} from './types.ts';
