import { defineCodes } from './define.ts';

export const modulesCodes = defineCodes({});
