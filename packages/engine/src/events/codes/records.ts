import { defineCodes } from './define.ts';

export const recordsCodes = defineCodes({});
