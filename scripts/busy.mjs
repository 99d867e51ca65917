// Keeps every core busy while the load suite runs, so that what holds on an idle machine is shown to hold on a busy one.
import { spawn } from 'node:child_process';
import { cpus } from 'node:os';

/** @returns {() => void} ends the burners */
export function setup() {
  const burners = cpus().map(() => spawn(process.execPath, ['-e', 'for (;;) Math.sqrt(2)'], { stdio: 'ignore' }));
  const end = () => {
    for (const burner of burners) burner.kill('SIGKILL');
  };
  process.once('exit', end);
  return end;
}
