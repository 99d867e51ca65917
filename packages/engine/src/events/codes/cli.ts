import { defineCodes } from './define.ts';

export const cliCodes = defineCodes({});
