import { basename, dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readScriptFile } from '../../src/agent/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { ensureBuilt } from '../cli/harness.ts';
import { difference } from './compare.ts';
import { type Block, expectedOf, type Page, pages } from './page.ts';
import { openSession, type Session } from './session.ts';

beforeAll(ensureBuilt, 180_000);

// A page is followed as a reader would: from top to bottom, in one folder.
for (const page of pages()) {
  const used = page.blocks.filter(({ run, file, unchecked }) => unchecked === undefined && (run || file !== undefined));
  if (used.length === 0) continue;
  describe(page.path, () => {
    let session: Session;
    beforeAll(() => {
      session = openSession(used);
    });
    afterAll(() => session.remove());
    for (const block of used) {
      const what = block.run ? 'does what the page says' : `is a good ${block.file}`;
      test(`the ${block.lang} block in line ${block.line} ${what}`, () => follow(session, page, block), 90_000);
    }
  });
}

async function follow(session: Session, page: Page, block: Block): Promise<void> {
  if (!block.run) return checkFile(session.save(block), block, session);
  const { code, printed } = await session.run(block);
  const expected = expectedOf(page, block);
  if (expected !== undefined) expect(difference(expected, printed)).toBeUndefined();
  expect({ code, printed }).toEqual({ code: block.exit, printed });
}

/** A configuration loads without an error or a warning, a script of turns can be read. */
async function checkFile(file: string, block: Block, { folder, home }: Session): Promise<void> {
  const name = basename(file);
  if (name.endsWith('turns.json')) readScriptFile(file);
  if (name !== 'trotline.json' && name !== 'managed.json') return;
  const isManaged = name === 'managed.json';
  const { problems } = await loadConfig({
    cwd: file.startsWith(home) ? home : dirname(file),
    home: `${home}/.trotline`,
    env: {},
    managedFile: isManaged ? file : `${folder}/no-managed-file.json`,
    trustOnce: true,
  });
  if (block.faulty) expect(problems).not.toEqual([]);
  else expect(problems).toEqual([]);
}
