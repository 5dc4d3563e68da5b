import { pause } from '../../lib/waiting.ts';

/** Attempts to connect to one host, milliseconds between two: five a second, so that a platform does not block us. */
const leastGapMs = 200;

/** When the next attempt at a host may start, milliseconds since 1970. */
const nextAttempts = new Map<string, number>();

/**
 * Waits until another attempt to connect to a host may start. Bots of all platforms share the pace of a host.
 * @throws the signal's reason when it is aborted first
 */
export async function awaitAttempt(host: string, signal: AbortSignal): Promise<void> {
  const now = Date.now();
  const at = Math.max(now, nextAttempts.get(host) ?? 0);
  nextAttempts.set(host, at + leastGapMs);
  if (at > now) await pause(at - now, signal);
  signal.throwIfAborted();
  // What is past limits nothing any more.
  for (const [known, next] of nextAttempts) if (next <= Date.now()) nextAttempts.delete(known);
}
