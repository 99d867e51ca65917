import { defineCodes } from './define.ts';

export const kernelCodes = defineCodes({
  'kernel.no-argument': {
    kind: 'error',
    doc: 'A hook called next() without an argument.',
    remedy: 'Call next(e), or next({ ...e, field }) to rewrite.',
  },
});
