import { DeliveryError, type Reason } from '@parley/sdk';
import { rateLimited } from '../../kit/failures/rate-limited.ts';
import type { PlatformResponse } from '../../kit/platform-calls/platform-api.ts';
import { parseRetryAfter } from '../../kit/retry-after.ts';

/** Errors of the Web API that mean something to us; others are refusals. @see https://docs.slack.dev/reference/methods */
const reasons: Readonly<Record<string, Reason>> = {
  invalid_auth: 'platform_unauthorized',
  not_authed: 'platform_unauthorized',
  account_inactive: 'platform_unauthorized',
  token_revoked: 'platform_unauthorized',
  token_expired: 'platform_unauthorized',
  org_login_required: 'platform_unauthorized',
  channel_not_found: 'unknown_target',
  not_in_channel: 'unknown_target',
  is_archived: 'unknown_target',
  user_not_found: 'unknown_target',
  users_not_found: 'unknown_target',
  user_disabled: 'unknown_target',
  cannot_dm_bot: 'unknown_target',
  messages_tab_disabled: 'unknown_target',
  restricted_action: 'unknown_target',
  thread_not_found: 'unknown_target',
  stopped_by_user: 'cancelled',
};

/** Slack does not say that it did nothing. */
const unknown = new Set(['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout']);

export interface FailureOptions {
  method: string;
  /** Whose rate limit it is. */
  scope: 'chat' | 'bot';
  isRepeatable: boolean;
}

/** The name of the error in a response; null when it is a success, undefined when it is no response of Slack. */
export function errorIn({ body }: PlatformResponse): string | null | undefined {
  if (typeof body !== 'object' || body === null || !('ok' in body)) return undefined;
  if (body.ok === true) return null;
  return 'error' in body && typeof body.error === 'string' ? body.error.slice(0, 100) : 'unknown_error';
}

/** The failure of a call that Slack responded to; null for a success. */
export function failureIn(response: PlatformResponse, options: FailureOptions): DeliveryError | null {
  const { method, scope, isRepeatable } = options;
  const error = errorIn(response);
  if (response.status === 429 || error === 'ratelimited' || error === 'rate_limited') {
    const pauseMs = parseRetryAfter(response.headers.get('retry-after'));
    return rateLimited(`Slack limits the rate of ${method}`, { pauseMs, scope });
  }
  if (error === null && response.status < 400) return null;
  if (error === null || error === undefined || response.status >= 500 || unknown.has(error)) {
    const what = error ?? `an unexpected response (status ${response.status})`;
    return new DeliveryError('unknown', 'platform_failed', `Slack answered ${method} with ${what}`, { isRepeatable });
  }
  const reason = reasons[error] ?? 'platform_failed';
  return new DeliveryError('refused', reason, `Slack refused ${method}: ${described(error, response)}`, {
    cause: new SlackRefusal(error),
  });
}

/** The name of a refusal. */
export class SlackRefusal extends Error {}

/** Whether Slack refused a call with one of these errors. */
export function isRefusal(error: unknown, ...names: string[]): boolean {
  if (!(error instanceof DeliveryError)) return false;
  return error.cause instanceof SlackRefusal && (names.length === 0 || names.includes(error.cause.message));
}

function described(error: string, { body }: PlatformResponse): string {
  const { needed } = body as { needed?: unknown };
  if (error !== 'missing_scope' || typeof needed !== 'string') return error;
  return `the app lacks the permission (scope) ${needed.slice(0, 200)}; add it and install the app again`;
}

/** A failure as one of a delivery. */
export function asDeliveryError(error: unknown): DeliveryError {
  return DeliveryError.from(error, 'Slack did not accept the message');
}
