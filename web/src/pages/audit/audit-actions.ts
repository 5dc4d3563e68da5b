const models = ['create', 'update', 'delete'] as const;

/** Actions per record kind; the command line may record others. */
export const auditActions = {
  account: [
    'initialize',
    'create',
    'update',
    'delete',
    'change-password',
    'change-password-failed',
    'set-password',
    'reset-password',
    'reset-password-failed',
    'create-recovery-key',
    'create-recovery-key-failed',
    'link-identity',
    'unlink-identity',
    'begin-second-factor',
    'begin-second-factor-failed',
    'enable-second-factor',
    'enable-second-factor-failed',
    'disable-second-factor',
    'disable-second-factor-failed',
  ],
  session: ['sign-in', 'sign-in-failed', 'sign-out', 'end', 'end-others'],
  'api-key': ['create', 'update', 'revoke'],
  bot: ['create', 'update', 'delete', 'copy'],
  pipeline: [
    'create',
    'update',
    'delete',
    'copy',
    'make-default',
    'bind-extensions',
    'save-draft',
    'discard-draft',
    'publish',
    'restore',
  ],
  provider: ['create', 'update', 'delete'],
  'language-model': models,
  'embedding-model': models,
  'rerank-model': models,
  'model-price': ['update', 'delete'],
  'knowledge-base': ['create', 'update', 'delete'],
  'knowledge-document': ['create', 'retry', 'reindex', 'cancel', 'delete'],
  collection: ['create', 'activate', 'delete'],
  'golden-question': ['create', 'update', 'delete'],
  'mcp-server': ['create', 'update', 'delete', 'confirm-tools'],
  plugin: ['install', 'consent', 'update', 'configure', 'grant', 'order', 'roll-back', 'discard-update', 'remove'],
  tool: ['run', 'end-run'],
  'alert-rule': ['create', 'update', 'delete'],
  'alert-target': ['create', 'update', 'delete', 'rotate-secret'],
  webhook: ['create', 'update', 'delete', 'rotate-secret', 'redeliver'],
  'sensitive-words': ['update'],
  file: ['upload'],
  task: ['cancel'],
  system: ['end-wizard'],
} as const satisfies Record<string, readonly string[]>;

export type AuditKind = keyof typeof auditActions;

export function isAuditKind(kind: string): kind is AuditKind {
  return Object.hasOwn(auditActions, kind);
}
