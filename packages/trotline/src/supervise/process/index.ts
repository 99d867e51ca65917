export { PLAIN_ENVIRONMENT } from './env.ts';
export { PeerError } from './failure.ts';
export { DEFAULT_LIMITS, DEFAULT_RESTART } from './limits.ts';
export { type LogFile, openLogFile } from './log-file.ts';
export { startPeer } from './peer.ts';
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
