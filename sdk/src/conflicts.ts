/*
 * States that do not allow a request, with their English texts: codes of errors with the reason `conflict`. Codes are
 * stable: programs may branch on them. `{{names}}` are replaced by parameters.
 */
export const conflicts = {
  no_connection_test: 'This platform does not support connection tests',
  no_platform_sign_in: 'This platform has no sign-in',
  account_connected: 'The bot "{{bot}}" is already connected with this account',
  message_replaced: 'The message was replaced already',
  task_ended: 'The task has ended',
  models_not_opened: 'The requester of this provider does not open models of this kind any more',
  requester_missing: 'The requester "{{requester}}" is not installed',
  documents_being_stored: 'Documents are being stored in the collection; try again when they are there',
  takes_no_documents: 'The knowledge engine {{engine}} takes no documents',
  document_not_failed: 'Only a document that failed or was cancelled is tried again',
  document_in_progress: 'The document is in progress',
  document_not_in_progress: 'The document is not in progress',
  no_golden_questions: 'The knowledge base has no golden questions',
  nothing_expected: 'None of the documents that are expected is there any more',
  collection_incomplete: 'The collection is not complete: it is {{state}}',
  collection_not_waiting: 'The collection does not wait for a decision: it is {{state}}',
  collection_searched: 'The collection is the one that is searched',
  base_being_rebuilt: 'The knowledge base is being rebuilt, or a rebuild waits for a decision',
  message_being_sent: 'The message is being sent; wait until that ended',
  part_delivered: 'Part {{part}} was delivered',
  webhook_disabled: 'The webhook is switched off',
  no_signing_secret: 'Only webhooks have a signing secret',
  too_many_alert_rules: 'There may be {{maximum}} rules of alerts at most',
  too_many_alert_targets: 'There may be {{maximum}} targets of alerts at most',
  account_exists: 'There is an account {{user}} already',
  password_changed: 'The password was changed in the meantime',
  credentials_changed: 'The password or the recovery key was changed in the meantime',
  second_factor_not_begun: 'Start with POST /api/v1/user/second-factor',
  no_second_factor: 'The account has no second factor',
  second_factor_exists: 'The account has a second factor already',
  identity_linked: 'The identity or the account is linked already',
  no_password: 'The account has no password, so it could not sign in any more',
  tool_changed: 'The tool "{{tool}}" has changed; review it again',
  server_disabled: 'The MCP server is disabled; its tools can be run when it is enabled',
  server_exists: 'There is an MCP server named "{{server}}" already',
} as const;

export type ConflictCode = keyof typeof conflicts;

/** A state that does not allow a request, with the parameters of its text. */
export interface Conflict {
  code: ConflictCode;
  parameters: Readonly<Record<string, string>>;
}
