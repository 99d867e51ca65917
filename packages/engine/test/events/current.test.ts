import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { events } from '../../src/index.ts';
import { familyOf, pages, typeTests } from './generate.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

describe('what is written from the catalogue is current', () => {
  test.each(Object.entries(pages))('docs/reference/%s', async (name, page) => {
    await expect(page()).toMatchFileSnapshot(at(`../../../../docs/reference/${name}`));
  });

  test.each([...new Set(Object.keys(events).map(familyOf))])('the types of %s', async (family) => {
    await expect(typeTests(family)).toMatchFileSnapshot(at(`types/${family}.test.ts`));
  });
});
