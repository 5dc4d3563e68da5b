import { DeliveryError } from '@parley/sdk';

/**
 * A call that the platform did not take because of its rate limit: `not_sent`, `quota`.
 * @param rateLimit `pauseMs` null where the platform names no time
 */
export function rateLimited(
  message: string,
  rateLimit: { pauseMs: number | null; scope: 'chat' | 'bot' },
): DeliveryError {
  const { pauseMs } = rateLimit;
  const when = pauseMs === null ? {} : { retryAfterSeconds: Math.ceil(pauseMs / 1000) };
  return new DeliveryError('not_sent', 'quota', message, { ...when, rateLimit });
}
