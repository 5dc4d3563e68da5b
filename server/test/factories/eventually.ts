import { expect } from 'vitest';

/** Waits for what must come, also on a machine that has much to do. */
export function eventually<Value>(actual: () => Value) {
  return expect.poll(actual, { timeout: 15_000 });
}
