import { defineCodes } from './define.ts';

export const configCodes = defineCodes({});
