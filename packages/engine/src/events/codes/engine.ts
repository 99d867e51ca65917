import { defineCodes } from './define.ts';

export const engineCodes = defineCodes({});
