import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Line, type OpenLineOptions, openLine } from 'trotline/host';

/** Opens a line with the configuration of an example, beside nobody's own: a home that is thrown away afterwards. */
export async function openExample(folder: string, options: OpenLineOptions = {}): Promise<Line> {
  const home = mkdtempSync(join(tmpdir(), 'trotline-example-'));
  const cwd = new URL(`./${folder}`, import.meta.url).pathname;
  const line = await openLine({ cwd, home, config: 'trotline.json', managedFile: join(home, 'none'), ...options });
  return Object.freeze({
    ...line,
    close: async () => {
      await line.close();
      rmSync(home, { recursive: true, force: true });
    },
  });
}
