import { defineCodes } from './define.ts';

export const hostCodes = defineCodes({});
