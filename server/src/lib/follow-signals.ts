/** A signal that is aborted with the first of several. */
export interface FollowingSignal {
  signal: AbortSignal;
  /** Ends the following, once what the signal is for has ended. */
  release(): void;
}

/** Combines signals like `AbortSignal.any`, at a fraction of its cost, but has to be released. */
export function followSignals(signals: readonly AbortSignal[]): FollowingSignal {
  const controller = new AbortController();
  // The event does not name its signal reliably: its target is gone once another listener has aborted something.
  const listeners = signals.map((signal) => ({ signal, follow: () => controller.abort(signal.reason) }));
  const aborted = signals.find((signal) => signal.aborted);
  if (aborted !== undefined) controller.abort(aborted.reason);
  else for (const { signal, follow } of listeners) signal.addEventListener('abort', follow);
  return {
    signal: controller.signal,
    release: () => {
      for (const { signal, follow } of listeners) signal.removeEventListener('abort', follow);
    },
  };
}
