import { setTimeout as delay } from 'node:timers/promises';

/**
 * Begins something at a steady rate, whatever becomes of what was begun before. Each is told when it was due, so that
 * times are counted from then: what a busy machine begins late is not flattered.
 * @param due milliseconds as `performance.now()` counts them
 * @returns how many were begun
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
