export const systemPage = {
  overview: 'Overview',
  tasks: 'Tasks',
  logs: 'Log',
  words: 'Sensitive words',
  health: 'Process',
  alive: 'Running',
  readiness: 'Requests',
  ready: 'Being served',
  notServing: 'No answer',
  address: 'Address',
  activity: 'Activity',
  activityText: 'Counted in the ledger of messages.',
  activeSessions: 'People and groups in the last 30 minutes',
  conversations: 'Conversations that go on',
  messages: 'Messages received since the start',
  settings: 'Settings in effect',
  settingsText: 'Set in the environment or in parley.yaml; a change takes effect after a restart.',
  version: 'API version',
  maxBots: 'Bots at most',
  maxPipelines: 'Pipelines at most',
  maxExtensions: 'Extensions at most',
  unlimited: 'No limit',
  passwords: 'Passwords may be changed in the console',
};

export const tasks = {
  task: 'Task',
  number: 'Task {{id}}',
  empty: 'No tasks',
  emptyText:
    'Work that takes a while appears here: documents being read, bots connecting. Tasks that ended are kept for seven days.',
  began: 'Began',
  ended: 'Ended',
  running: 'Running',
  runningOf: 'Running: {{done}} of {{total}}',
  finished: 'Finished',
  failed: 'Failed',
  cancelled: 'Cancelled',
  log: 'Log',
  result: 'Result',
};

export const logs = {
  level: 'Level',
  levels: {
    DEBUG: 'All',
    INFO: 'Info and above',
    WARNING: 'Warnings and above',
    ERROR: 'Errors and above',
    CRITICAL: 'Critical only',
  },
  words: {
    DEBUG: 'Debug',
    INFO: 'Info',
    WARNING: 'Warning',
    ERROR: 'Error',
    CRITICAL: 'Critical',
  },
  follow: 'Follow',
  empty: 'No lines',
  emptyText: 'Nothing was logged that fits.',
  note: 'The newest line comes first; times are in UTC. The server keeps the last 200 lines here, all others are where its output goes.',
};

export const words = {
  text: 'Pipelines that check for them do not answer messages that hold one of these words, and mask them in answers.',
  list: 'Words',
  listHelp:
    'One in each line. A line with one of \\ . + * ? ( ) [ ] { } ^ $ | is a regular expression. Capital letters count.',
  count_one: '{{count}} word.',
  count_other: '{{count}} words.',
  mask: 'Masking character',
  maskHelp: 'Stands for each character of a word.',
  maskWord: 'Instead of the whole word',
  maskWordHelp: 'Stands for the whole word, when it is filled in.',
};
