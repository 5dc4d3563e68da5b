import type { ErrorReason } from './reasons.ts';

/*
 * What exactly is wrong with a request, by the reason of its error, with English texts. Codes are stable: programs may
 * branch on them. `{{names}}` are replaced by parameters.
 */
export const problems = {
  conflict: {
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
    plugin_exists: 'Plugin {{plugin}}:{{version}} already exists',
    plugin_older: 'Version {{version}} of {{plugin}} is older than the installed {{installed}}',
    plugin_package_changed: 'The package is not the one that was inspected',
    plugin_version_unknown: 'The plugin has no such version that waits for consent',
    plugin_changed_meanwhile: 'Another request has changed {{plugin}} meanwhile; check it and try again',
    plugin_without_previous: 'There is no earlier version of {{plugin}} to return to',
    plugin_not_in_catalogue: '{{plugin}} is not in the catalogue',
    no_plugin_catalogue: 'No plugin catalogue is configured; see the setting plugin_catalogue',
    no_password: 'The account has no password, so it could not sign in any more',
    tool_changed: 'The tool "{{tool}}" has changed; review it again',
    server_disabled: 'The MCP server is disabled; its tools can be run when it is enabled',
    server_exists: 'There is an MCP server named "{{server}}" already',
    connection_task: 'The task is the connection of a bot; disable the bot to end it',
  },
  not_found: {
    account_not_found: 'Account not found',
    alert_not_found: 'Alert not found',
    alert_rule_not_found: 'Alert rule not found',
    alert_target_not_found: 'Alert target not found',
    api_key_not_found: 'API key not found',
    bot_not_found: 'Bot not found',
    chat_conversation_not_found: 'Conversation not found',
    collection_not_found: 'The knowledge base has no such collection',
    document_not_found: 'Document not found',
    document_original_gone: 'The original is gone',
    document_page_not_found: 'The document has no page {{page}}',
    document_pages_not_shown: 'The pages of this document cannot be shown',
    evaluation_not_found: 'The knowledge base has no evaluation of this identifier',
    file_not_found: 'File {{file}} not found',
    golden_question_not_found: 'The knowledge base has no golden question of this identifier',
    identity_not_linked: 'The account is not linked',
    image_not_found: 'Image not found',
    knowledge_base_not_found: 'knowledge base not found',
    message_not_found: 'Message not found',
    message_image_not_found: 'The message has no such image',
    message_part_not_found: 'The message has no part {{part}}',
    message_to_replace_not_found: 'The message to replace does not exist',
    model_not_found: 'model not found',
    no_identity_provider: 'No identity provider is configured',
    pipeline_not_found: 'pipeline not found',
    pipeline_version_not_found: 'There is no such version of the pipeline',
    pipeline_without_draft: 'The pipeline has no draft',
    platform_not_found: 'adapter not found',
    platform_sign_in_not_found: 'There is no such sign-in',
    plugin_not_found: 'plugin not found',
    plugin_file_not_found: 'The plugin has no such file',
    plugin_page_not_found: 'The plugin has no such page',
    price_not_found: 'The model has no price',
    provider_not_found: 'provider not found',
    requester_not_found: 'requester not found',
    session_not_found: 'Session not found',
    task_not_found: 'Task not found',
    tool_not_found: 'The MCP server has no such tool',
    tool_server_not_found: 'Server not found',
    uploaded_file_gone: 'The uploaded file is gone',
    webhook_not_found: 'Webhook not found',
    webhook_delivery_not_found: 'The webhook has no delivery with this identifier',
  },
  limit_reached: {
    too_many_bots: 'Maximum number of bots ({{maximum}}) reached',
    too_many_pipelines: 'Maximum number of pipelines ({{maximum}}) reached',
    too_many_extensions: 'Maximum number of extensions ({{maximum}}) reached',
    too_many_prices: 'There may be at most {{maximum}} prices',
    too_many_golden_questions: 'A knowledge base may have at most {{maximum}} golden questions',
  },
  too_large: {
    file_too_large: 'The file is larger than {{bytes}} bytes ({{megabytes}} MB)',
    image_too_large: 'The image is larger than {{bytes}} bytes ({{megabytes}} MB)',
    request_too_large: 'The request is too large',
  },
  too_many_requests: {
    too_many_attempts: 'Too many attempts. Try again in {{seconds}} s.',
    too_many_images: 'Too many images are loaded at the same time',
    too_many_large_requests: 'Too many large requests at the same time',
    too_many_pages: 'Too many pages are being drawn; try again later',
    too_many_platform_sign_ins: 'Too many sign-ins are under way. Try again in a few minutes',
  },
  invalid_request: {
    identity_sign_in_expired: 'This sign-in has expired or was started in another browser; start again',
  },
  invalid_credentials: {
    wrong_current_password: 'Current password is incorrect',
  },
  identity_unknown: {
    no_account_yet: 'Set up this installation first: its first account is an admin',
  },
  forbidden: {
    password_change_disabled: 'Modifying login info is disabled',
  },
  scope_required: {
    admins_try_drafts:
      'Only an admin may try drafts, versions and models: sign in to an admin account, or use an API key with the scope "admin"',
    admins_bind_tool_servers:
      'Only an admin may bind MCP servers to a pipeline or say for whom their tools run: sign in to an admin account, or use an API key with the scope "admin"',
  },
  role_required: {
    admins_run_tools: 'Tools run for signed-in admins only',
  },
  secret_required: {
    secrets_unreadable: 'The stored secrets cannot be read; enter them again',
  },
  address_not_allowed: {
    address_unreadable: 'The address is not a URL',
    address_of_other_scheme: 'The address must start with http:// or https://',
    address_with_account: 'The address must not contain a user name or password',
    plugin_host_refused: '{{host}} is not among the hosts of the setting plugin_hosts',
    address_refused: '{{host}} is not an address this call may reach',
  },
  bot_disabled: {
    web_chat_disabled: 'No web chat bot is switched on',
  },
  engine_not_found: {
    engine_not_installed: 'The knowledge engine {{engine}} is not installed',
  },
  not_ready: {
    replica_draining: 'This replica is draining: it is about to stop, and others answer new requests',
    replica_unreachable: 'The replica that has to do this cannot be reached. Try again in a few seconds',
  },
  uncertain: {
    replica_cut_off: 'The connection to the replica that does this was lost. Check the result before you try again',
  },
  time_limit: {
    engine_too_slow: 'The knowledge engine did not answer within {{seconds}} s',
  },
  unsupported_media_type: {
    file_type_unreadable: 'Files of this type cannot be read',
  },
  vectors_unavailable: {
    pgvector_outdated:
      'The extension pgvector of the database is of version {{version}}: install {{least}} or a later one, then run "alter extension vector update" in the database',
    pgvector_missing:
      'The database cannot keep vectors: install pgvector on the PostgreSQL server, then run "create extension vector" in the database as an administrator ({{message}})',
  },
} as const satisfies Partial<Record<ErrorReason, Readonly<Record<string, string>>>>;

type Problems = typeof problems;

export type ProblemCode = { [Reason in keyof Problems]: keyof Problems[Reason] }[keyof Problems];

/** What exactly is wrong with a request, with the parameters of its text. */
export interface Problem {
  code: ProblemCode;
  parameters: Readonly<Record<string, string>>;
}

/** The reason and the English text of each problem. */
export const knownProblems = Object.fromEntries(
  Object.entries(problems).flatMap(([reason, texts]) =>
    Object.entries(texts).map(([code, text]) => [code, { reason, text }]),
  ),
) as Readonly<Record<ProblemCode, { reason: ErrorReason; text: string }>>;
