import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { defineTool } from './define.ts';
import { absolute, readRegular, textOf, toolFailure, writeAtomic } from './files.ts';
import { patchOf } from './patch.ts';
import type { Tool } from './types.ts';

const maxBytes = 10_000_000;

/** `Write`: a whole file, made or replaced in one step. */
export function createWrite(): Tool {
  return defineTool({
    name: 'Write',
    description:
      'Writes a file, replacing what it held; missing folders are made. To change a part of a file, use Edit.',
    isReadOnly: false,
    input: z.object({
      file_path: z.string().min(1).describe('Absolute, or relative to the working directory'),
      content: z.string().describe('The whole content'),
    }),
    async run({ file_path, content }, { cwd }) {
      const filePath = absolute(cwd, file_path);
      // What is not text, or too much of it, is replaced all the same: only the record goes without the old content.
      const exists = await stat(filePath).catch(() => undefined);
      const original =
        exists && (await readRegular(filePath, maxBytes).then(({ bytes }) => textOf(bytes), refuseOddFiles(exists)));
      await writeAtomic(filePath, content);
      const structuredPatch = original === undefined ? [] : patchOf(original, content);
      return {
        result: {
          type: exists ? 'update' : 'create',
          filePath,
          content,
          structuredPatch,
          originalFile: original ?? null,
        },
        text: `${filePath} was ${exists ? 'replaced' : 'made'} (${Buffer.byteLength(content)} bytes).`,
      };
    },
  });
}

const refuseOddFiles =
  (stats: { isFile(): boolean }) =>
  (error: unknown): undefined => {
    if (!stats.isFile()) throw error;
  };

/** `Edit`: one piece of text for another. */
export function createEdit(): Tool {
  return defineTool({
    name: 'Edit',
    description:
      'Replaces old_string by new_string in a file. old_string must occur exactly once, so give enough of the lines ' +
      'around it, or set replace_all.',
    isReadOnly: false,
    input: z.object({
      file_path: z.string().min(1).describe('Absolute, or relative to the working directory'),
      old_string: z.string().min(1).describe('The text as it stands in the file, without line numbers'),
      new_string: z.string().describe('What stands there afterwards'),
      replace_all: z.boolean().optional().describe('Replace every occurrence'),
    }),
    async run({ file_path, old_string, new_string, replace_all = false }, { cwd, signal }) {
      if (old_string === new_string) throw toolFailure('old_string and new_string are the same: nothing to change');
      const filePath = absolute(cwd, file_path);
      const { bytes, stats } = await readRegular(filePath, maxBytes);
      const original = textOf(bytes);
      if (original === undefined)
        throw toolFailure(`${filePath} is no UTF-8 text`, 'Change it with a program in Bash.');

      // The model writes \n, whatever the file has.
      const crlf = !original.includes(old_string) && original.includes('\r\n');
      const [old, now] = crlf ? [toCrlf(old_string), toCrlf(new_string)] : [old_string, new_string];
      const parts = original.split(old);
      const count = parts.length - 1;
      if (count === 0) {
        throw toolFailure(`old_string was not found in ${filePath}`, 'Read the file, and copy the text exactly.');
      }
      if (count > 1 && !replace_all) {
        throw toolFailure(
          `old_string occurs ${count} times in ${filePath}`,
          'Give more of the lines around it so that it occurs once, or set replace_all.',
        );
      }
      const content = parts.join(now);
      signal.throwIfAborted();
      const current = await stat(filePath).catch(() => undefined);
      if (current === undefined || current.mtimeMs !== stats.mtimeMs || current.size !== stats.size) {
        throw toolFailure(`${filePath} was changed by somebody else meanwhile`, 'Read it again, then edit it.');
      }
      await writeAtomic(filePath, content);
      return {
        result: {
          filePath,
          oldString: old_string,
          newString: new_string,
          originalFile: original,
          structuredPatch: patchOf(original, content),
          userModified: false,
          replaceAll: replace_all,
        },
        text: `${filePath} was changed${count > 1 ? ` in ${count} places` : ''}.`,
      };
    },
  });
}

const toCrlf = (text: string): string => text.replace(/\r?\n/g, '\r\n');
