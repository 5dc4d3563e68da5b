import {
  type ErrorDetail,
  type ErrorReason,
  type Hint,
  invalidFields,
  ParleyError,
  type Problem,
  problemError,
  type Reason,
  type RemoteResponse,
} from '@parley/sdk';
import { type AjvFault, faultDetail } from '../lib/fault-detail.ts';
import { findStorageError } from '../lib/storage-error.ts';
import { storageUnavailable } from './storage-unavailable.ts';

/** The only place that maps reasons of errors to statuses. */
const statuses: Record<ErrorReason, number> = {
  invalid_request: 400,
  invalid_credentials: 400,
  // Never 401: clients of the reference system would drop their token.
  second_factor_required: 400,
  invalid_code: 400,
  secret_required: 400,
  empty_file: 400,
  unauthorized: 401,
  setup_token_required: 403,
  user_token_required: 403,
  scope_required: 403,
  role_required: 403,
  identity_unknown: 403,
  identity_provider_failed: 502,
  role_changed: 403,
  forbidden: 403,
  foreign_origin: 403,
  unknown_host: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  already_initialized: 409,
  in_use: 409,
  last_admin: 409,
  limit_reached: 409,
  default_pipeline: 409,
  idempotency_running: 409,
  idempotency_interrupted: 409,
  bot_disabled: 409,
  bot_not_running: 409,
  record_changed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  window_closed: 422,
  reply_expired: 422,
  unknown_target: 422,
  blocked: 422,
  quota: 422,
  unsupported_element: 422,
  private_address: 403,
  address_not_allowed: 422,
  model_not_configured: 422,
  runner_not_found: 422,
  no_pipeline: 422,
  idempotency_mismatch: 422,
  cancelled: 422,
  reset: 422,
  image_unavailable: 502,
  interrupted: 422,
  uncertain: 502,
  expired: 504,
  delivery_stopped: 502,
  partial_remains: 502,
  step_limit: 422,
  invalid_pattern: 422,
  stage_failed: 422,
  tool_not_allowed: 422,
  tool_not_for_user: 422,
  tool_failed: 422,
  document_broken: 422,
  document_encrypted: 422,
  document_empty: 422,
  document_too_complex: 422,
  document_type_unsupported: 422,
  duplicate_document: 409,
  parse_time_limit: 422,
  parse_memory_limit: 422,
  vector_dimensions: 409,
  vectors_unavailable: 409,
  plugin_invalid: 422,
  plugin_incompatible: 422,
  plugin_not_running: 409,
  plugin_busy: 503,
  plugin_timeout: 504,
  plugin_crashed: 502,
  plugin_paused: 503,
  plugin_failed: 502,
  plugin_response_invalid: 502,
  plugin_files_changed: 409,
  plugin_isolation_missing: 409,
  plugin_consent_required: 409,
  plugin_permission_denied: 403,
  plugin_storage_full: 507,
  engine_not_found: 409,
  command_denied: 403,
  mcp_command_not_allowed: 403,
  rate_limited: 429,
  too_many_requests: 429,
  client_closed_request: 499,
  internal: 500,
  webhook_unsupported: 501,
  invalid_signature: 401,
  engine_failed: 502,
  platform_unauthorized: 502,
  platform_failed: 502,
  provider_failed: 502,
  provider_unauthorized: 502,
  provider_unreachable: 502,
  unknown_model: 502,
  provider_timeout: 504,
  tool_timeout: 504,
  time_limit: 504,
  not_ready: 503,
  overloaded: 503,
  storage_unavailable: 503,
};

/** A caller that waits for the answer to its message gets the outcome of that as the response. */
const statusOfOutcomes = 422;

/** The status of a response with this reason. */
export function statusOf(reason: Reason): number {
  return (statuses as Partial<Record<Reason, number>>)[reason] ?? statusOfOutcomes;
}

export interface ErrorBody {
  code: number;
  msg: string;
  reason: Reason;
  details?: ErrorDetail[];
  /** What a provider or another service returned. */
  response?: RemoteResponse;
  /** The cause, if it can be named. */
  hint?: Hint;
  /** What exactly is wrong, where that has a code. */
  problem?: Problem;
  request_id: string;
}

export interface ErrorAnswer {
  status: number;
  body: ErrorBody;
  retryAfterSeconds: number | undefined;
}

/** The response to a failed request. Unexpected errors disclose no internal details. */
export function errorAnswer(error: unknown, requestId: string): ErrorAnswer {
  const fault = findStorageError(error);
  const known =
    fault?.kind === 'unavailable'
      ? storageUnavailable(fault)
      : error instanceof ParleyError
        ? error
        : fromFramework(error);
  const body: ErrorBody = {
    code: known.reason === 'internal' ? -2 : -1,
    msg: known.message,
    reason: known.reason,
    ...(known.details === undefined ? {} : { details: known.details }),
    ...(known.response === undefined ? {} : { response: known.response }),
    ...(known.hint === undefined ? {} : { hint: known.hint }),
    ...(known.problem === undefined ? {} : { problem: known.problem }),
    request_id: requestId,
  };
  return { status: statusOf(known.reason), body, retryAfterSeconds: known.retryAfterSeconds };
}

interface FrameworkError {
  code?: string;
  statusCode?: number;
  message: string;
  validation?: AjvFault[];
  validationContext?: string;
}

function fromFramework(error: unknown): ParleyError {
  if (!(error instanceof Error)) return new ParleyError('internal', 'An unexpected fault');
  const fault = error as FrameworkError;
  if (fault.validation !== undefined) return fromValidation(fault.validation, fault.validationContext);
  const options = { cause: error };
  switch (fault.statusCode) {
    case 403: // A path outside of the folder of served files.
    case 404:
      return new ParleyError('not_found', 'Not found', options);
    case 413:
      return problemError('request_too_large', {}, options);
    case 414:
      return new ParleyError('not_found', 'Not found', options);
    case 415:
      return new ParleyError('unsupported_media_type', 'The content type is not supported here', options);
    case 429:
      return new ParleyError('too_many_requests', 'Too many requests', options);
    case 503:
      return new ParleyError('not_ready', 'The server is stopping', options);
  }
  if (fault.statusCode !== undefined && fault.statusCode >= 400 && fault.statusCode < 500) {
    return new ParleyError('invalid_request', fault.message, options);
  }
  return new ParleyError('internal', 'An unexpected fault', options);
}

/** Maximum number of reported validation errors of one request. */
const maximumDetails = 20;

function fromValidation(faults: AjvFault[], context: string | undefined): ParleyError {
  // A path parameter that cannot be an id identifies nothing.
  if (context === 'params') return new ParleyError('not_found', 'Not found');
  const prefix = context === 'querystring' ? 'query' : '';
  const details = faults.slice(0, maximumDetails).map((fault) => faultDetail(fault, prefix));
  return invalidFields(details, prefix);
}
