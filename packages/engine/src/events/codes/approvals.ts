import { defineCodes } from './define.ts';

export const approvalsCodes = defineCodes({});
