import { agentCodes } from './codes/agent.ts';
import { approvalsCodes } from './codes/approvals.ts';
import { cliCodes } from './codes/cli.ts';
import { configCodes } from './codes/config.ts';
import { engineCodes } from './codes/engine.ts';
import { hostCodes } from './codes/host.ts';
import { kernelCodes } from './codes/kernel.ts';
import { modulesCodes } from './codes/modules.ts';
import { opsCodes } from './codes/ops.ts';
import { picoclawCodes } from './codes/picoclaw.ts';
import { recordsCodes } from './codes/records.ts';
import { superviseCodes } from './codes/supervise.ts';
import { trustCodes } from './codes/trust.ts';

/** The one table of codes: errors and trace entries, by area. */
export const codes = {
  ...kernelCodes,
  ...engineCodes,
  ...configCodes,
  ...trustCodes,
  ...recordsCodes,
  ...superviseCodes,
  ...modulesCodes,
  ...picoclawCodes,
  ...agentCodes,
  ...approvalsCodes,
  ...opsCodes,
  ...hostCodes,
  ...cliCodes,
} as const;
