/**
 * Waits for a promise, but only until the signal is aborted; then it throws the signal's reason. The later result of
 * the promise, failures included, is ignored.
 */
export async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([aborted.promise, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/**
 * Waits for a promise with a timeout in milliseconds; then it returns or throws the result of `late`. The later result
 * of the promise, failures included, is ignored.
 */
export async function inTime<Value, Late>(
  promise: Promise<Value>,
  milliseconds: number,
  late: () => Late,
): Promise<Value | Late> {
  const over = Promise.withResolvers<typeof tooLate>();
  const timer = setTimeout(() => over.resolve(tooLate), milliseconds);
  try {
    const value = await Promise.race([promise, over.promise]);
    return value === tooLate ? late() : value;
  } finally {
    clearTimeout(timer);
  }
}

/** Waits without keeping the process alive; ends immediately when the signal is aborted. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, milliseconds);
  timer.unref?.();
  const end = () => over.resolve();
  signal.addEventListener('abort', end, { once: true });
  await over.promise;
  signal.removeEventListener('abort', end);
  clearTimeout(timer);
}

const tooLate = Symbol('too late');
