/*
 * Every reason for which a request, a message or a delivery fails or ends, with its English text: the default message
 * of the API, `docs/errors.md` and the console. Reasons are stable: programs may branch on them.
 */

/** Reasons for which a request, a message or a delivery fails. As the response to a request, each has a status. */
export const errorReasons = {
  invalid_request: 'The request is malformed or a field is invalid.',
  invalid_credentials: 'Wrong user name, password or recovery key.',
  second_factor_required: 'Enter the code from your authenticator app.',
  invalid_code: 'The code is wrong, expired or already used.',
  secret_required: 'Enter the secret again. The stored one cannot be used for this address.',
  empty_file: 'The file is empty.',
  setup_token_required:
    'Invalid set-up token. Each server start creates a new one: open the link printed at start, or run ./parley set-up-link on the server.',
  identity_unknown:
    'No account is linked to this identity. Sign in with your password, then link it on your account page.',
  identity_provider_failed: 'The identity provider is unreachable or did not confirm the sign-in. Please try again.',
  unauthorized: 'Sign in, or send a valid API key.',
  user_token_required: 'This requires a signed-in account. API keys cannot do it.',
  scope_required: 'The API key does not have the required scope.',
  role_required: 'Your role does not allow this. Ask an admin.',
  role_changed: 'Your role has changed. Connect again.',
  forbidden: 'Not allowed.',
  foreign_origin:
    'This page was opened at an address that the server does not recognize. Set PARLEY_PUBLIC_URL on the server to the address in the address bar.',
  unknown_host: 'The server does not accept requests for this host name.',
  not_found: 'The resource does not exist.',
  method_not_allowed: 'This path does not support the method.',
  conflict: 'The current state does not allow this.',
  record_changed: 'The record was changed since it was read. Read it again and repeat the change.',
  in_use: 'This is in use.',
  last_admin: "The last admin can't be deleted or made a member. Make another account an admin first.",
  limit_reached: 'Limit reached.',
  default_pipeline: "The default pipeline can't be deleted. Set another pipeline as default first.",
  idempotency_mismatch: 'The idempotency key was already used for a different request.',
  idempotency_running: 'The first request with this idempotency key is still in progress.',
  idempotency_interrupted:
    'The server stopped during the first request with this idempotency key, so its outcome is unknown. Check the result before you retry with a new key.',
  already_initialized: 'The first account already exists. Please sign in.',
  bot_disabled: 'The bot is disabled.',
  bot_not_running: 'The bot is not connected to its platform.',
  too_large: 'The content exceeds the size limit.',
  unsupported_media_type: 'The content type is not supported.',
  window_closed: 'The platform accepts messages only for a limited time after the user wrote.',
  reply_expired: 'The platform accepts answers only for a limited time or number, which is over.',
  unknown_target: 'The platform does not know this user or group.',
  blocked: 'The user blocked the bot, or the bot is no longer in the group.',
  quota: 'Rate limit or quota exceeded at the platform or the provider.',
  unsupported_element: 'The platform does not support a part of this message.',
  too_many_requests: 'Too many attempts. Please wait and try again.',
  client_closed_request: 'The client disconnected before the request was complete.',
  webhook_unsupported: 'The platform of this bot does not use webhooks.',
  invalid_signature: 'The signature or secret of the webhook request is missing or wrong.',
  platform_unauthorized: 'The platform rejected the credentials of the bot.',
  platform_failed: 'The platform returned an error or is unreachable.',
  provider_failed: 'The provider returned an error.',
  provider_unauthorized: 'The provider rejected the API key. Check the key in Models.',
  provider_timeout: 'The provider did not answer in time.',
  provider_unreachable: "Can't reach the provider. Check the base URL.",
  unknown_model: 'The provider has no such model, or the API key has no access to it.',
  private_address: 'The address is in a private network. Only admins can save or test such addresses.',
  address_not_allowed: 'This address is in a network that is not allowed.',
  image_unavailable: "Couldn't load the image.",
  model_not_configured: 'No model is selected, or it was deleted.',
  runner_not_found: 'The runner of the pipeline is not installed.',
  no_pipeline: 'The bot has no pipeline.',
  rate_limited: 'The conversation exceeded its rate limit.',
  command_denied: 'The user is not allowed to run this command.',
  cancelled: 'Cancelled.',
  reset: 'The conversation was reset before the answer was complete.',
  interrupted: 'The service stopped while this was in progress.',
  partial_remains: 'The beginning of an earlier version of the answer may remain in the chat.',
  delivery_stopped: 'An earlier part is uncertain, and the bot is configured to stop in this case.',
  uncertain: 'The platform did not confirm the delivery. The message may have arrived.',
  expired: 'The platform did not accept the message in time.',
  step_limit: 'Tool-call limit exceeded.',
  invalid_pattern: 'A regular expression in the configuration is invalid.',
  stage_failed: 'A pipeline step failed.',
  tool_not_allowed: 'The pipeline does not allow this tool, or it does not exist.',
  tool_not_for_user: 'The tool is not read-only, and the pipeline does not allow this user to run it.',
  tool_failed: 'The tool failed.',
  mcp_command_not_allowed: 'The operator of this server does not allow this command.',
  tool_timeout: 'The tool did not answer in time.',
  document_broken: 'The file is damaged, or its content does not match its type.',
  document_encrypted: 'The file is password-protected. Remove the password and upload it again.',
  document_empty: 'The file contains no text. Scans need text recognition (OCR) first.',
  document_too_complex: 'The file exceeds the limit for pages, entries, text or unpacked size.',
  document_type_unsupported: "This file type isn't supported.",
  duplicate_document: 'This knowledge base already has a document with the same content.',
  parse_time_limit: 'Parsing the file took too long.',
  parse_memory_limit: 'Parsing the file needed too much memory.',
  vector_dimensions:
    'The embedding model returns vectors of another size than the stored ones. Re-index the documents.',
  vectors_unavailable: "The database can't store vectors. PostgreSQL needs the pgvector extension for this.",
  engine_not_found: 'The engine of this knowledge base is not installed.',
  engine_failed: 'The knowledge engine failed.',
  time_limit: 'Time limit of the answer exceeded.',
  not_ready: 'The server is starting or stopping. Please try again shortly.',
  overloaded: 'The server is busy. Please try again shortly.',
  storage_unavailable: "The server can't store data right now. Try again later. The server log shows the cause.",
  internal: 'Unexpected error. The server log has details.',
} as const satisfies Record<string, string>;

/** Reasons for which a message or a delivery ends, waits or was changed without a failure of anything. */
export const outcomeReasons = {
  group_rule_not_matched: 'The message was sent in a group and matches no group rule.',
  access_denied: 'Access control blocks this user or group.',
  ignored: 'Skipped by an ignore rule.',
  sensitive_word: 'The message contains a sensitive word.',
  aggregating: 'Waiting for more messages to answer together.',
  awaiting_webhook: 'Waiting for the response of a webhook.',
  skipped_by_webhook: 'A webhook prevented the answer.',
  recalled: 'The user deleted the message before it was answered.',
  merged: 'Answered together with an earlier message.',
  quote_combined: 'The quoted message was included.',
  long_text: 'The long answer was sent in another form or in several messages.',
  delayed: 'The pipeline delays its answers.',
  command: 'The message was a chat command.',
  answer_stopped: 'The user stopped the answer. Its beginning was sent.',
} as const satisfies Record<string, string>;

/** All reasons. */
export const reasons = { ...errorReasons, ...outcomeReasons };

export type ErrorReason = keyof typeof errorReasons;
export type OutcomeReason = keyof typeof outcomeReasons;
/** A stable identifier of {@link reasons}. */
export type Reason = keyof typeof reasons;
