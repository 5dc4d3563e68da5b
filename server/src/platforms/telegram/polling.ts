import { type ConnectionReport, type Logger, ParleyError } from '@parley/sdk';
import type { Update } from 'grammy/types';
import { isStorageUnavailable } from '../../lib/storage-error.ts';
import { TelegramFailure } from './failure.ts';
import type { Inbox } from './inbox.ts';
import { askedPause, repeated } from './repeat.ts';
import type { Timing } from './timing.ts';
import type { Transport } from './transport.ts';

/** Nothing else is wanted: no edits, posts of channels, or buttons. */
export const wantedUpdates = ['message'] as const;

/** Updates of one poll; the next is made when all of them are stored. */
const updatesOfPoll = 50;

/** Pause before an update is stored again, while nothing can be stored. Telegram is not called for it. Milliseconds. */
const storagePauseMs = 2000;

/**
 * Asks Telegram for messages, for ever. Updates are confirmed only with the poll after they were stored, so Telegram
 * gives them out again after a crash.
 * @see https://core.telegram.org/bots/api#getupdates
 */
export class Poller {
  readonly #transport: Transport;
  readonly #inbox: Inbox;
  readonly #report: (report: ConnectionReport) => void;
  readonly #logger: Logger;
  readonly #timing: Timing;
  /** Whether something is amiss. The next poll then waits for nothing, so that its success is known at once. */
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
    try {
      // While there is a webhook, Telegram refuses polls. What waits there is not dropped.
      await this.#insist(signal, () =>
        this.#transport.call((api) => api.deleteWebhook({ drop_pending_updates: false })),
      );
      for (let offset: number | null = null; ; ) {
        const updates: Update[] = await this.#insist(signal, () => this.#poll(offset));
        this.#tellSuccess();
        await this.#take(signal, updates);
        this.#tellSuccess();
        // What came before an empty answer is confirmed, and the next poll may begin at the beginning. It must when
        // the bot was silent for a week: Telegram then counts anew from anywhere.
        offset = updates.length === 0 ? null : Math.max(...updates.map(({ update_id }) => update_id)) + 1;
      }
    } catch (error) {
      if (signal.aborted) return;
      this.#logger.error({ error }, 'receiving messages from Telegram ended');
      this.#report(lastReport(error));
    }
  }

  async #poll(offset: number | null): Promise<Update[]> {
    const updates = await this.#transport.poll((api, seconds) =>
      api.getUpdates({
        ...(offset === null ? {} : { offset }),
        limit: updatesOfPoll,
        timeout: this.#isAmiss ? 0 : seconds,
        allowed_updates: wantedUpdates,
      }),
    );
    if (Array.isArray(updates) && updates.every((update) => Number.isSafeInteger(update?.update_id))) return updates;
    throw new TelegramFailure('uncertain', 'What answered is not the Bot API');
  }

  /** Stores all of them: those of one chat in their order, chats beside each other. */
  async #take(signal: AbortSignal, updates: Update[]): Promise<void> {
    const chats = Map.groupBy(updates, (update) => update.message?.chat?.id);
    const outcomes = await Promise.allSettled(
      chats.values().map(async (ofChat) => {
        for (const update of ofChat) await this.#insist(signal, () => this.#inbox.take(update), isOnlyAboutFile);
      }),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /** @param isMinor tells failures that say nothing about the connection */
  #insist<Result>(
    signal: AbortSignal,
    attempt: () => Promise<Result>,
    isMinor: (error: Error) => boolean = () => false,
  ): Promise<Result> {
    const { firstPauseMs, longestPauseMs, conflictPauseMs } = this.#timing;
    return repeated(attempt, {
      firstPauseMs,
      longestPauseMs,
      signal,
      mayRepeat: (error) => !(error instanceof TelegramFailure && error.isUnauthorized),
      pauseFor: (error) => {
        if (isStorageUnavailable(error)) return storagePauseMs;
        return isConflict(error) ? conflictPauseMs : askedPause(error);
      },
      onPause: (error) => {
        if (!isMinor(error)) this.#tellFailure(error);
      },
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

/** Taking an update calls Telegram for its file only. */
function isOnlyAboutFile(error: Error): boolean {
  return error instanceof TelegramFailure && error.kind !== 'unsent';
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
    : 'Another program fetches the messages of this bot. Stop it, or give this bot a token of its own';
  return { reason: 'platform_failed', message };
}
