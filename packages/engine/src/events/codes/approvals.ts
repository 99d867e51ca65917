import { defineCodes } from './define.ts';

export const approvalsCodes = defineCodes({
  'approvals.allow-syntax': {
    kind: 'error',
    doc: 'The value of --allow is no tool and no tool with a pattern.',
    remedy: 'Write --allow TOOL, --allow TOOL:pattern or --allow "*".',
  },
});
