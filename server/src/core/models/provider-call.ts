import { providerError } from '@parley/sdk';
import { untilAborted } from '../../lib/waiting.ts';

/** Timeout of calls that a user waits for. Clients of the reference system time out after 30 seconds. */
export const callTimeoutMs = 25_000;

/**
 * Calls a provider while a caller waits, and stops waiting with it, even for work that ignores its signal.
 * @param signal ends the call early
 * @throws ParleyError `provider_timeout`, `provider_unreachable`, `provider_unauthorized`, `unknown_model`, `quota` or
 * `provider_failed`
 */
export async function callProvider<Result>(
  timeoutMs: number,
  signal: AbortSignal,
  work: (limit: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    limit.throwIfAborted();
    return await untilAborted(work(limit), limit);
  } catch (error) {
    throw providerError(error);
  }
}
