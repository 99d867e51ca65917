import { t } from '../shape.ts';
import { classic } from './classic.ts';

const task = {
  task_id: t.string,
  task_subject: t.string,
  task_description: t.optional(t.string),
  teammate_name: t.optional(t.string),
  team_name: t.optional(t.string),
};

/** Settings events about files, tasks, teammates and questions. */
export const classicWorkEvents = {
  'classic.TeammateIdle': classic(
    'TeammateIdle',
    'A teammate is about to idle.',
    { teammate_name: t.string, team_name: t.string },
    {},
  ),
  'classic.TaskCreated': classic('TaskCreated', 'A task was created.', task, {}),
  'classic.TaskCompleted': classic('TaskCompleted', 'A task was completed.', task, {}),
  'classic.Elicitation': classic(
    'Elicitation',
    'An MCP server asks the person something.',
    {
      mcp_server_name: t.string,
      message: t.string,
      mode: t.optional(t.oneOf('form', 'url')),
      url: t.optional(t.string),
      elicitation_id: t.optional(t.string),
      requested_schema: t.optional(t.json),
    },
    {},
  ),
  'classic.ElicitationResult': classic(
    'ElicitationResult',
    'The person answered an MCP server.',
    {
      mcp_server_name: t.string,
      elicitation_id: t.optional(t.string),
      mode: t.optional(t.oneOf('form', 'url')),
      action: t.oneOf('accept', 'decline', 'cancel'),
      content: t.optional(t.json),
    },
    {},
  ),
  'classic.ConfigChange': classic(
    'ConfigChange',
    'A settings file changed.',
    {
      source: t.oneOf('user_settings', 'project_settings', 'local_settings', 'policy_settings', 'skills'),
      file_path: t.optional(t.string),
    },
    {},
  ),
  'classic.InstructionsLoaded': classic(
    'InstructionsLoaded',
    'A file of instructions was loaded.',
    {
      file_path: t.string,
      memory_type: t.string,
      load_reason: t.string,
      globs: t.optional(t.list(t.string)),
      trigger_file_path: t.optional(t.string),
      parent_file_path: t.optional(t.string),
    },
    {},
  ),
  'classic.WorktreeCreate': classic(
    'WorktreeCreate',
    'A worktree is about to be created.',
    { name: t.string },
    { worktreePath: t.optional(t.string) },
  ),
  'classic.WorktreeRemove': classic(
    'WorktreeRemove',
    'A worktree is about to be removed.',
    { worktree_path: t.string },
    {},
  ),
  'classic.CwdChanged': classic(
    'CwdChanged',
    'The working directory changed.',
    { old_cwd: t.string, new_cwd: t.string },
    {},
  ),
  'classic.FileChanged': classic(
    'FileChanged',
    'A watched file changed.',
    { file_path: t.string, event: t.oneOf('change', 'add', 'unlink') },
    {},
  ),
  'classic.DirectoryAdded': classic(
    'DirectoryAdded',
    'A directory was added to the session.',
    { directory: t.string, source: t.string },
    {},
  ),
  'classic.MessageDisplay': classic(
    'MessageDisplay',
    'Whole lines of an answer are about to be shown.',
    { turn_id: t.string, message_id: t.string, index: t.number, final: t.boolean, delta: t.string },
    { displayContent: t.optional(t.string) },
  ),
} as const;
