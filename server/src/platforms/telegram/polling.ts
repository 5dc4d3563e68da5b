import { type ConnectionReport, type Logger, ParleyError } from '@parley/sdk';
import type { Update } from 'grammy/types';
import { repeated } from '../../kit/retry/repeat.ts';
import { isStorageUnavailable } from '../../lib/storage-error.ts';
import { TelegramFailure } from './failure.ts';
import { type Inbox, updateId } from './inbox.ts';
import type { Timing } from './timing.ts';
import type { Transport } from './transport.ts';
import { type FetchedUpdate, UpdateQueue } from './update-queue.ts';

/** Nothing else is wanted: no posts of channels, or buttons. */
export const wantedUpdates = ['message', 'edited_message', 'my_chat_member'] as const;

/** Maximum updates of one poll. They are stored in one transaction. */
const updatesOfPoll = 100;
const notTheApi = 'The response is not from a Bot API server';

/** Pause before an update is stored again, while nothing can be stored. Telegram is not called for it. Milliseconds. */
const storagePauseMs = 2000;

/**
 * Polls Telegram for updates, forever. Updates are confirmed only with the poll after they were stored, so Telegram
 * repeats them after a crash.
 * @see https://core.telegram.org/bots/api#getupdates
 */
export class Poller {
  readonly #transport: Transport;
  readonly #inbox: Inbox;
  readonly #report: (report: ConnectionReport) => void;
  readonly #logger: Logger;
  readonly #timing: Timing;
  /** Whether there is a problem. The next poll then returns at once, so that recovery is detected immediately. */
  #isAmiss = false;

  constructor(
    transport: Transport,
    inbox: Inbox,
    { report, logger, timing }: { report: (report: ConnectionReport) => void; logger: Logger; timing: Timing },
  ) {
    this.#transport = transport;
    this.#inbox = inbox;
    this.#report = report;
    this.#logger = logger;
    this.#timing = timing;
  }

  /** Runs until the signal, or until Telegram does not know the token any more, which is reported. */
  async run(signal: AbortSignal): Promise<void> {
    const queue = new UpdateQueue(this.#inbox);
    try {
      // While there is a webhook, Telegram refuses polls. Its pending updates are not dropped.
      await this.#insist(signal, () =>
        this.#transport.call((api) => api.deleteWebhook({ drop_pending_updates: false })),
      );
      let next: number | null = null;
      for (;;) {
        await this.#insist(signal, async () => {
          const open = queue.firstOpen;
          const updates = await this.#poll(open ?? next, open !== null);
          if (updates.length > 0) next = Math.max(...updates.map(({ id }) => id)) + 1;
          // Updates before an empty answer are confirmed, so the next poll may reset the offset. It must after a week
          // without updates: Telegram then restarts ids at a random number.
          else if (open === null) next = null;
          queue.add(updates);
          await queue.store();
        });
        this.#tellSuccess();
      }
    } catch (error) {
      if (signal.aborted) return;
      this.#logger.error({ error }, 'receiving messages from Telegram ended');
      this.#report(lastReport(error));
    }
  }

  /** @param isBusy whether earlier updates are not stored yet: they come again, and new ones are not waited for */
  async #poll(offset: number | null, isBusy: boolean): Promise<FetchedUpdate[]> {
    const updates: unknown = await this.#transport.poll((api, seconds) =>
      api.getUpdates({
        ...(offset === null ? {} : { offset }),
        limit: updatesOfPoll,
        timeout: this.#isAmiss || isBusy ? 0 : seconds,
        allowed_updates: wantedUpdates,
      }),
    );
    if (!Array.isArray(updates)) throw new TelegramFailure('unknown', notTheApi);
    const fetched = updates.flatMap((update: Update) => {
      const id = updateId(update);
      return id === null ? [] : [{ id, update }];
    });
    // One without an id cannot be stored, and is confirmed together with the next one that has an id.
    if (fetched.length < updates.length) {
      if (fetched.length === 0) throw new TelegramFailure('unknown', notTheApi);
      this.#logger.error({ updates: updates.length - fetched.length }, 'ignored updates from Telegram without an id');
    }
    return fetched;
  }

  #insist<Result>(signal: AbortSignal, attempt: () => Promise<Result>): Promise<Result> {
    const { firstPauseMs, longestPauseMs, conflictPauseMs } = this.#timing;
    return repeated(attempt, {
      firstPauseMs,
      longestPauseMs,
      signal,
      mayRepeat: (error) => !(error instanceof TelegramFailure && error.isUnauthorized),
      pauseFor: (error) => {
        if (isStorageUnavailable(error)) return storagePauseMs;
        if (!(error instanceof TelegramFailure)) return null;
        return isConflict(error) ? conflictPauseMs : error.retryAfterMs;
      },
      onPause: (error) => this.#tellFailure(error),
    });
  }

  #tellFailure(error: Error): void {
    if (!(error instanceof TelegramFailure || error instanceof ParleyError)) {
      this.#logger.error({ error }, 'a message from Telegram could not be stored');
    }
    this.#isAmiss = true;
    this.#report({ state: 'reconnecting', ...reasonOf(error) });
  }

  #tellSuccess(): void {
    this.#isAmiss = false;
    this.#report({ state: 'connected' });
  }
}

/** How the connection ended for good. */
export function lastReport(error: unknown): ConnectionReport {
  if (error instanceof TelegramFailure && error.isUnauthorized) {
    return {
      state: 'failed',
      reason: 'platform_unauthorized',
      message: `Telegram refuses the token: ${error.message}`,
    };
  }
  return { state: 'failed', reason: 'internal', message: 'Receiving messages ended unexpectedly' };
}

function isConflict(error: Error): boolean {
  return error instanceof TelegramFailure && error.code === 409;
}

function reasonOf(error: Error): { reason: ParleyError['reason']; message: string } {
  if (error instanceof ParleyError) return { reason: error.reason, message: error.message };
  if (!(error instanceof TelegramFailure))
    return { reason: 'internal', message: 'Messages cannot be stored at present' };
  if (!isConflict(error)) return { reason: 'platform_failed', message: error.message };
  const message = /webhook/i.test(error.message)
    ? 'Another program set a webhook for this bot, so its messages cannot be fetched. Remove it there, or restart the bot'
    : 'Another program fetches the messages of this bot. Stop it, or use a separate bot';
  return { reason: 'platform_failed', message };
}
