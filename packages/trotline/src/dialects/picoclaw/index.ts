export {
  type InstalledProcess,
  type InstalledProcesses,
  installPicoclawProcesses,
  isGuard,
  type PreparedProcess,
  preparePicoclawProcess,
} from './install.ts';
export type { PicoclawOptions, ProcessHealth, ProcessSpec } from './types.ts';
