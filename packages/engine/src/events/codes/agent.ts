import { defineCodes } from './define.ts';

export const agentCodes = defineCodes({});
