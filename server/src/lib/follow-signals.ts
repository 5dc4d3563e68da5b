/** A signal that is aborted with the first of several. */
export interface FollowingSignal {
  signal: AbortSignal;
  /** Ends the following, once what the signal is for has ended. */
  release(): void;
}

/** Combines signals like `AbortSignal.any`, at a fraction of its cost, but has to be released. */
export function followSignals(signals: readonly AbortSignal[]): FollowingSignal {
  const controller = new AbortController();
  const follow = ({ currentTarget }: Event) => controller.abort((currentTarget as AbortSignal).reason);
  const aborted = signals.find((signal) => signal.aborted);
  if (aborted !== undefined) controller.abort(aborted.reason);
  else for (const signal of signals) signal.addEventListener('abort', follow);
  return {
    signal: controller.signal,
    release: () => {
      for (const signal of signals) signal.removeEventListener('abort', follow);
    },
  };
}
