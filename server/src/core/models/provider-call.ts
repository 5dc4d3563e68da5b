import { providerError } from '@parley/sdk';
import { untilAborted } from '../../lib/waiting.ts';

/** Time that a provider has when somebody waits. Clients of the reference system give up after 30 seconds. */
export const callTimeoutMilliseconds = 25_000;

/**
 * Calls a provider for somebody who waits, and waits no longer than they do, not even for work that goes on in spite of
 * its signal.
 * @param signal ends the call early
 * @throws ParleyError `provider_timeout`, `provider_unreachable`, `provider_unauthorized`, `unknown_model`, `quota` or
 *   `provider_failed`
 */
export async function callProvider<Result>(
  timeoutMilliseconds: number,
  signal: AbortSignal,
  work: (limit: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)]);
  try {
    limit.throwIfAborted();
    return await untilAborted(work(limit), limit);
  } catch (error) {
    throw providerError(error);
  }
}
