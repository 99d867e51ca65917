import { defineCodes } from './define.ts';

export const trustCodes = defineCodes({});
