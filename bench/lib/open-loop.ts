import { setTimeout as delay } from 'node:timers/promises';

/**
 * Starts an action at a steady rate, whether or not earlier ones have finished. Each receives its due time, from which
 * durations are measured, so that a busy machine that starts late does not improve the result.
 * @param due milliseconds as `performance.now()` counts them
 * @returns the number of started actions
 */
export async function openLoop(
  { rate, seconds, signal }: { rate: number; seconds: number; signal?: AbortSignal },
  begin: (index: number, due: number) => void,
): Promise<number> {
  const started = performance.now();
  const interval = 1000 / rate;
  const total = Math.round(rate * seconds);
  let index = 0;
  while (index < total && !signal?.aborted) {
    while (index < total && started + index * interval <= performance.now()) {
      begin(index, started + index * interval);
      index += 1;
    }
    await delay(Math.max(1, started + index * interval - performance.now()));
  }
  return index;
}
