import { DeliveryError, type Logger, type Reason } from '@parley/sdk';
import pRetry from 'p-retry';
import { inTime, pause } from '../../lib/waiting.ts';

/** Why sending is paused. */
export interface SendHold {
  reason: Reason;
  /** How long it lasts at least, milliseconds. */
  milliseconds: number;
}

/** A chat that messages are sent to. Platform limits apply to all of its threads together. */
export interface Chat {
  session_type: string;
  session_id: string;
}

/** Times, milliseconds. */
export interface SendHoldTiming {
  /** Pause before the first probe; each one after it is twice as long, up to `longestPause`. */
  firstPause: number;
  longestPause: number;
  /** A longer rate limit of a chat applies to the whole bot. */
  longestChatPause: number;
}

export interface SendHoldsOptions {
  /** Makes a harmless call to the platform of a bot; see `PlatformAdapter.probe`. Resolves if it has none. */
  probe: (botUuid: string) => Promise<void>;
  /** Called when a hold ends. @param conversations those that waited for it */
  ended: (conversations: readonly string[]) => void;
  logger: Logger;
  timing?: Partial<SendHoldTiming>;
}

const defaultTiming: SendHoldTiming = { firstPause: 500, longestPause: 60_000, longestChatPause: 60_000 };

/** A rate limit in this many chats at the same time means that the platform limits the bot. */
const limitedChats = 3;
/** Timers of Node.js cannot last longer, milliseconds. */
const longestTimer = 2 ** 31 - 1;

interface Hold {
  reason: Reason;
  /** Of the monotonic clock, so that a change of the time of day neither shortens nor prolongs it. */
  until: number;
  conversations: Set<string>;
  end: AbortController;
  over: PromiseWithResolvers<void>;
}

/** The holds of one bot. */
interface BotSends {
  bot: Hold | null;
  chats: Map<string, Hold>;
  /** Holds without a time of their own, without a success between them. */
  failures: number;
}

/**
 * What keeps messages from being sent: rate limits of chats and bots, and platforms that cannot be reached. Held in
 * memory; it is learned again after a restart. It holds for sends and edits and not for receiving.
 */
export class SendHolds {
  readonly #options: SendHoldsOptions;
  readonly #timing: SendHoldTiming;
  readonly #bots = new Map<string, BotSends>();
  #isClosed = false;

  constructor(options: SendHoldsOptions) {
    this.#options = options;
    this.#timing = { ...defaultTiming, ...options.timing };
  }

  /** A call failed, or perhaps failed: decides what is held for how long. A refusal holds nothing. */
  report(botUuid: string, chat: Chat, failure: DeliveryError): void {
    if (this.#isClosed || failure.kind === 'refused') return;
    const sends = this.#sendsOf(botUuid);
    if (failure.rateLimit === undefined) {
      if (sends.bot === null) void this.#probe(botUuid, sends, failure.reason);
      return;
    }
    const { scope, pauseMs } = failure.rateLimit;
    const milliseconds = pauseMs ?? this.#nextBackOff(sends);
    this.#holdChat(botUuid, sends, keyOf(chat), milliseconds);
    const limits = [...sends.chats.values()].map(({ until }) => until);
    if (scope === 'bot' || milliseconds > this.#timing.longestChatPause || limits.length >= limitedChats) {
      this.#holdBot(botUuid, sends, Math.max(...limits));
    }
  }

  /** A call succeeded. */
  succeeded(botUuid: string): void {
    const sends = this.#bots.get(botUuid);
    if (sends === undefined) return;
    sends.failures = 0;
    this.#tidy(botUuid, sends);
  }

  /** The hold on a chat; null when there is none. */
  of(botUuid: string, chat: Chat): SendHold | null {
    const sends = this.#bots.get(botUuid);
    if (sends === undefined) return null;
    const holds = [sends.bot, sends.chats.get(keyOf(chat)) ?? null].filter((hold) => hold !== null);
    if (holds.length === 0) return null;
    const longest = holds.reduce((left, right) => (right.until > left.until ? right : left));
    return { reason: longest.reason, milliseconds: Math.max(0, longest.until - performance.now()) };
  }

  /**
   * Waits for the end of the hold on a chat, if that may come in time.
   * @returns the hold that remains; null when there is none
   */
  async cleared(botUuid: string, chat: Chat, milliseconds: number): Promise<SendHold | null> {
    const deadline = performance.now() + milliseconds;
    for (;;) {
      const hold = this.of(botUuid, chat);
      const left = deadline - performance.now();
      if (hold === null || left <= 0 || hold.milliseconds > left) return hold;
      await inTime(this.#ending(botUuid, chat)?.over.promise ?? Promise.resolve(), left, () => undefined);
    }
  }

  /** Registers a conversation that waits for the end of the hold on its chat. */
  defer(botUuid: string, chat: Chat, conversationUuid: string): void {
    this.#ending(botUuid, chat)?.conversations.add(conversationUuid);
  }

  /** Bots with a hold on all sending. */
  heldBots(): readonly string[] {
    return [...this.#bots].flatMap(([uuid, { bot }]) => (bot === null ? [] : [uuid]));
  }

  /** The bot has another account, or none: its holds no longer apply. */
  forget(botUuid: string): void {
    const sends = this.#bots.get(botUuid);
    if (sends === undefined) return;
    sends.failures = 0;
    for (const hold of [sends.bot, ...sends.chats.values()]) hold?.end.abort();
  }

  close(): void {
    this.#isClosed = true;
    for (const botUuid of [...this.#bots.keys()]) this.forget(botUuid);
  }

  /** The hold whose end a chat waits for first: that of its bot, else its own. */
  #ending(botUuid: string, chat: Chat): Hold | undefined {
    const sends = this.#bots.get(botUuid);
    return sends?.bot ?? sends?.chats.get(keyOf(chat));
  }

  #sendsOf(botUuid: string): BotSends {
    let sends = this.#bots.get(botUuid);
    if (sends === undefined) {
      sends = { bot: null, chats: new Map(), failures: 0 };
      this.#bots.set(botUuid, sends);
    }
    return sends;
  }

  #holdChat(botUuid: string, sends: BotSends, key: string, milliseconds: number): void {
    const known = sends.chats.get(key);
    const until = Math.max(known?.until ?? 0, performance.now() + milliseconds);
    if (known !== undefined) {
      known.until = until;
      return;
    }
    const hold = newHold('quota', until);
    sends.chats.set(key, hold);
    void this.#lasts(hold).then(() => {
      sends.chats.delete(key);
      this.#end(botUuid, sends, hold);
    });
  }

  #holdBot(botUuid: string, sends: BotSends, until: number): void {
    if (sends.bot !== null) {
      sends.bot.until = Math.max(sends.bot.until, until);
      return;
    }
    const hold = newHold('quota', until);
    sends.bot = hold;
    this.#options.logger.warn(
      { bot: botUuid, seconds: Math.ceil((until - performance.now()) / 1000) },
      'the platform limits the bot; sending is paused',
    );
    void this.#lasts(hold).then(() => {
      sends.bot = null;
      this.#end(botUuid, sends, hold);
    });
  }

  /** Holds a bot until its platform answers. */
  async #probe(botUuid: string, sends: BotSends, reason: Reason): Promise<void> {
    const first = this.#nextBackOff(sends);
    const hold = newHold(reason, performance.now() + first);
    sends.bot = hold;
    const { signal } = hold.end;
    try {
      await pause(first, signal);
      await pRetry(() => this.#options.probe(botUuid), {
        retries: Number.POSITIVE_INFINITY,
        minTimeout: this.#timing.firstPause,
        maxTimeout: this.#timing.longestPause,
        randomize: true,
        unref: true,
        signal,
        onFailedAttempt: async ({ error }) => {
          const milliseconds = error instanceof DeliveryError ? (error.rateLimit?.pauseMs ?? 0) : 0;
          hold.until = Math.max(hold.until, performance.now() + milliseconds);
          if (milliseconds > 0) await pause(milliseconds, signal);
        },
      });
      // A rate limit that was reported meanwhile still holds.
      await this.#lasts(hold);
    } catch (error) {
      if (!signal.aborted) this.#options.logger.error({ bot: botUuid, error }, 'probing a platform failed');
    }
    sends.bot = null;
    this.#end(botUuid, sends, hold);
  }

  /** Resolves when a hold has ended or is to end. */
  async #lasts(hold: Hold): Promise<void> {
    for (;;) {
      const left = hold.until - performance.now();
      if (left <= 0 || hold.end.signal.aborted) return;
      await pause(Math.min(left, longestTimer), hold.end.signal);
    }
  }

  #end(botUuid: string, sends: BotSends, hold: Hold): void {
    hold.over.resolve();
    this.#tidy(botUuid, sends);
    if (!this.#isClosed) this.#options.ended([...hold.conversations]);
  }

  #tidy(botUuid: string, sends: BotSends): void {
    if (sends.bot === null && sends.chats.size === 0 && sends.failures === 0) this.#bots.delete(botUuid);
  }

  #nextBackOff(sends: BotSends): number {
    const { firstPause, longestPause } = this.#timing;
    const milliseconds = Math.min(longestPause, firstPause * 2 ** Math.min(20, sends.failures));
    sends.failures += 1;
    return milliseconds;
  }
}

function newHold(reason: Reason, until: number): Hold {
  return {
    reason,
    until,
    conversations: new Set(),
    end: new AbortController(),
    over: Promise.withResolvers(),
  };
}

function keyOf({ session_type, session_id }: Chat): string {
  return `${session_type}/${session_id}`;
}
