/**
 * Every reason a request, a message or a delivery can fail for, with what it tells the reader.
 * The words are stable: programs may branch on them. `docs/errors.md` lists them and a test holds the two together.
 */
export const reasons = {
  invalid_request: 'The request is malformed or a field is invalid; `details` names each path.',
  invalid_credentials: 'The user name, password or recovery key is not right.',
  second_factor_required: 'The password is right, and the account asks for a code of an authenticator app as well.',
  invalid_code: 'The code is wrong, has expired or was used before.',
  secret_required: 'A masked secret came back with another requester or address, so the real secret is needed.',
  empty_file: 'The uploaded file holds no bytes.',
  setup_token_required: 'The first account needs the set-up token, which is in the link that the start prints.',
  identity_unknown: 'No account is linked with the identity that the provider confirmed, and none is made.',
  identity_provider_failed: 'The identity provider could not be reached, or did not confirm who signs in.',
  unauthorized: 'No credential was presented, or it is unknown, expired or revoked.',
  user_token_required: 'The operation acts on a signed-in account; an API key cannot do it.',
  scope_required: 'The API key is valid but its scopes do not reach this operation.',
  role_required:
    'The role of the account, or of the account that the API key belongs to, does not allow this operation.',
  role_changed: 'The role of the account was changed, which ends its connections; connect again.',
  forbidden: 'The operation is not allowed here.',
  foreign_origin: 'The page that makes the request has another address than the server; see PARLEY_PUBLIC_URL.',
  unknown_host: 'The Host header names an address this server does not answer for.',
  not_found: 'There is nothing at this path or under this identifier.',
  method_not_allowed: 'The path exists but not with this method.',
  conflict: 'The state of the record does not allow the operation.',
  in_use: 'The record is in use; `details` names each user.',
  last_admin: 'The last admin account can neither be removed nor made a member.',
  limit_reached: 'There are as many records of this kind as there may be.',
  default_pipeline: 'The default pipeline cannot be removed; make another one the default first.',
  idempotency_mismatch: 'The idempotency key was used before, with another request.',
  idempotency_running: 'The first request with this idempotency key is still running.',
  idempotency_interrupted:
    'The server stopped during the first request with this idempotency key, so its outcome is unknown; look, then use another key.',
  already_initialized: 'The first account already exists.',
  bot_disabled: 'The bot is switched off.',
  bot_not_running: 'The bot is switched on but its connection to the platform is not up.',
  too_large: 'The body or the file is larger than the limit.',
  unsupported_media_type: 'The content type is not the one this operation takes.',
  window_closed: 'The platform only allows messages within a time window after the person wrote.',
  unknown_target: 'The platform does not know this person or group.',
  quota: 'The quota of the platform or of the provider is used up.',
  unsupported_element: 'The platform cannot carry an element of this message.',
  too_many_requests: 'Too many attempts; `Retry-After` says when to try again.',
  client_closed_request: 'The client went away before the request was complete.',
  webhook_unsupported: 'The platform of this bot sends nothing to a webhook address.',
  invalid_signature: 'The signature or secret of a webhook request is missing or wrong.',
  platform_unauthorized: 'The messaging platform does not accept the credentials of the bot.',
  platform_failed: 'The messaging platform refused or failed the call.',
  provider_failed: 'The model provider refused or failed the call.',
  provider_unauthorized: 'The model provider does not accept the key.',
  provider_timeout: 'The model provider did not answer in time.',
  provider_unreachable: 'No connection to the model provider could be made.',
  unknown_model: 'The model provider knows no model of this name, or the key may not use it.',
  private_address: 'The address is in a private network, and only an admin may save or test such an address.',
  address_not_allowed: 'The address resolves to a network that this call may not reach.',
  image_unavailable: 'The image that a message names could not be fetched, or is no PNG, JPEG, GIF or WebP.',
  model_not_configured: 'The pipeline names no model, or one that no longer exists.',
  runner_not_found: 'The pipeline names a runner that is not installed.',
  no_pipeline: 'The bot is not bound to a pipeline.',
  group_rule_not_matched: 'The message was written in a group and none of the rules for groups holds.',
  access_denied: 'Access control does not let this person or group talk to the bot.',
  ignored: 'A rule for messages to pass over holds.',
  sensitive_word: 'The text holds a word of the list of sensitive words.',
  rate_limited: 'The conversation sent as many messages as it may within the time window.',
  aggregating: 'More messages may follow, and they will be answered together.',
  awaiting_webhook: 'The webhooks that were told of the message have not answered yet.',
  skipped_by_webhook: 'A webhook that was told of the message answered that it is not to be answered here.',
  merged: 'The message was answered together with an earlier one.',
  quote_combined: 'What the message quotes was read as part of it.',
  long_text: 'The answer was long and was sent in another form or in several messages.',
  delayed: 'The pipeline has answers wait before they are sent.',
  command: 'The message was a command.',
  command_denied: 'The person may not give this command.',
  cancelled: 'Somebody who may do so cancelled it.',
  reset: 'The conversation was reset before the message was answered.',
  interrupted: 'The process ended while it was under way.',
  uncertain: 'The request left, but the platform gave no conclusive answer, so the message may have arrived.',
  expired: 'The platform did not take the message within the time that a delivery may take.',
  delivery_stopped: 'A part before it is uncertain, and the bot is set to stop then.',
  partial_remains: 'The beginning of an earlier version of the answer may remain in the chat.',
  invalid_pattern: 'A regular expression of the configuration cannot be used.',
  stage_failed: 'A stage of the pipeline failed.',
  tool_not_allowed: 'The pipeline does not allow the tool, or there is none of that name.',
  tool_not_for_user: 'The tool may change something, and the pipeline does not let this user run it.',
  tool_failed: 'The tool failed.',
  mcp_command_not_allowed: 'The operator does not allow the command of an MCP server.',
  tool_timeout: 'The tool did not answer in time.',
  document_broken: 'The file is damaged, or not what its name says.',
  document_encrypted: 'The file can only be read with a password.',
  document_empty: 'No text was found in the file.',
  document_too_complex: 'The file has more pages, entries or text than is read, or unpacks to more than it may.',
  document_type_unsupported: 'No parser reads files of this type.',
  duplicate_document: 'A document with the same content is in the knowledge base already.',
  parse_time_limit: 'Reading the file took longer than it may.',
  parse_memory_limit: 'Reading the file took more memory than it may.',
  vector_dimensions: 'The embedding model gives vectors of another length than those that are stored.',
  vectors_unavailable: 'The database cannot keep vectors; on PostgreSQL this needs the extension pgvector.',
  engine_not_found: 'The knowledge base names a knowledge engine that is not installed.',
  engine_failed: 'The knowledge engine failed.',
  step_limit: 'The model called tools more often than it may for one answer.',
  time_limit: 'The answer took longer than it may.',
  not_ready: 'The server is starting or stopping.',
  overloaded: 'The server receives too much at the same time; `Retry-After` says when to try again.',
  storage_unavailable:
    'Nothing can be stored at present: the disk is full, or the database is away, read-only, locked or damaged.',
  internal: 'An unexpected fault; `request_id` finds it in the log.',
} as const satisfies Record<string, string>;

/** One of the stable words in {@link reasons}. */
export type Reason = keyof typeof reasons;

/** One fault of a request: `path` is the place in the body (`message_chain[0].text`), `message` what is wrong there. */
export interface ErrorDetail {
  path: string;
  message: string;
}

export interface ParleyErrorOptions {
  details?: ErrorDetail[];
  cause?: unknown;
  /** Whole seconds after which another attempt makes sense. */
  retryAfterSeconds?: number;
}

/** The one error that Parley throws on purpose. `message` is safe to show to the caller. */
export class ParleyError extends Error {
  readonly reason: Reason;
  readonly details: ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(reason: Reason, message: string, options: ParleyErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ParleyError';
    this.reason = reason;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/**
 * The error of a request whose fields are wrong; it says the first fault and lists all.
 * @param whole what is wrong as a whole, for when there is no single fault
 */
export function invalidFields(details: ErrorDetail[], whole = ''): ParleyError {
  const { path, message } = details[0] ?? { path: whole, message: 'is invalid' };
  return new ParleyError('invalid_request', path === '' ? message : `${path}: ${message}`, { details });
}
