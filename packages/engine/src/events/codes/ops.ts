import { defineCodes } from './define.ts';

export const opsCodes = defineCodes({});
