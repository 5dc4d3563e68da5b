import { mayPass, type ParleyError, providerError, type Reason } from '@parley/sdk';
import pRetry from 'p-retry';
import { present } from '../../lib/clock.ts';
import { untilAborted } from '../../lib/waiting.ts';
import type { OpenedModelOfKind } from '../models/model-opener.ts';
import type { ProviderPauses } from './provider-pauses.ts';

/** How patient a call is. Milliseconds wherever a time is meant. */
export interface Patience {
  /** For one attempt. */
  timeoutMs: number;
  /** Attempts after the first, for failures that pass. Waiting for a rate limit is no attempt when `outlastsLimits`. */
  retries: number;
  /** Before the first of them, doubled each time. */
  retryPauseMs: number;
  /** Longest accepted retry delay of a provider. */
  longestPauseMs: number;
  /** Whether it keeps waiting for rate limits, and retries after timeouts. */
  outlastsLimits: boolean;
  /** For everything together. */
  wholeMs: number;
}

/** What another key of the same provider may not meet. */
const keyFailures: readonly Reason[] = ['quota', 'provider_unauthorized'];
/** Default pause after a rate limit without a retry delay, seconds. */
const defaultPauseSeconds = 1;

export interface RepeatedCall<Model, Result> {
  /** Opens the model with the next key. */
  open: () => Promise<OpenedModelOfKind<Model>>;
  work: (model: Model, signal: AbortSignal) => Promise<Result>;
  patience: Patience;
  pauses: ProviderPauses;
  signal: AbortSignal;
  /** Called with each attempt. */
  attempted: (opened: OpenedModelOfKind<Model>, attempt: Attempt<Result>) => Promise<void>;
}

export interface Attempt<Result> {
  startedAt: Date;
  milliseconds: number;
  result: Result | null;
  failure: ParleyError | null;
}

/**
 * Calls a model: with another key after a rejected one, and again after temporary failures. A pause that a provider
 * requests applies to all callers.
 * @throws ParleyError why the provider failed; the signal's reason when it is aborted
 */
export async function callRepeatedly<Model, Result>(call: RepeatedCall<Model, Result>): Promise<Result> {
  const { patience, signal } = call;
  let passes = false;
  let isLimit = false;
  const attempt = async () => {
    passes = false;
    isLimit = false;
    let limit: { failure: ParleyError; seconds: number } | null = null;
    for (let keysTried = 1; ; keysTried += 1) {
      const opened = await call.open();
      await call.pauses.free(opened, patience.longestPauseMs, signal);
      const { result, failure, raw } = await attemptOnce(call, opened);
      signal.throwIfAborted();
      if (failure === null) return result as Result;
      const { reason, retryAfterSeconds } = failure;
      opened.report({ reason, retryAfterSeconds });
      if (reason === 'quota' && mayPass(raw)) {
        const seconds = retryAfterSeconds ?? defaultPauseSeconds;
        limit = limit !== null && limit.seconds <= seconds ? limit : { failure, seconds };
      }
      if (keyFailures.includes(reason) && keysTried < opened.keys) continue;
      if (limit === null) {
        const isBearable = (retryAfterSeconds ?? 0) * 1000 <= patience.longestPauseMs;
        passes = isBearable && (mayPass(raw) || (reason === 'provider_timeout' && patience.outlastsLimits));
        throw failure;
      }
      // Of all keys, the first that may be used again decides.
      call.pauses.pause(opened, limit.seconds);
      isLimit = true;
      passes = limit.seconds * 1000 <= patience.longestPauseMs;
      throw limit.failure;
    }
  };
  try {
    return await pRetry(attempt, {
      retries: patience.retries,
      minTimeout: patience.retryPauseMs,
      randomize: true,
      maxRetryTime: patience.wholeMs,
      signal,
      shouldConsumeRetry: () => !(passes && isLimit && patience.outlastsLimits),
      shouldRetry: () => passes,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

async function attemptOnce<Model, Result>(
  { work, patience, signal, attempted }: RepeatedCall<Model, Result>,
  opened: OpenedModelOfKind<Model>,
): Promise<Attempt<Result> & { raw: unknown }> {
  const startedAt = new Date(present());
  const start = performance.now();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(patience.timeoutMs)]);
  let result: Result | null = null;
  let raw: unknown = null;
  try {
    limit.throwIfAborted();
    result = await untilAborted(work(opened.model, limit), limit);
    opened.report(null);
  } catch (error) {
    raw = error;
  }
  const failure = raw === null ? null : providerError(raw);
  const milliseconds = Math.round(performance.now() - start);
  await attempted(opened, { startedAt, milliseconds, result, failure });
  return { startedAt, milliseconds, result, failure, raw };
}
