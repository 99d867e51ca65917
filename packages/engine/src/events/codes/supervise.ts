import { defineCodes } from './define.ts';

export const superviseCodes = defineCodes({});
