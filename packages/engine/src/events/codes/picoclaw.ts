import { defineCodes } from './define.ts';

export const picoclawCodes = defineCodes({});
