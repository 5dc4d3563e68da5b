import { DeliveryError } from '@parley/sdk';
import { present } from '../../lib/clock.ts';
import type { PictureItem } from './pictures.ts';
import type { Timing } from './timing.ts';

type PullTiming = Pick<Timing, 'streamMs' | 'unansweredMs' | 'settleMs'>;

/** A stream as the platform fetches it. */
export interface FetchedStream {
  stream: { id: string; finish: boolean; content: string; msg_item?: readonly PictureItem[] };
  /** Tells whether the platform got it. */
  sent(wasWritten: boolean): void;
}

/** Streams that are remembered after their end, in which the platform may still ask for them. */
const remembered = 5000;

/** The streams of a bot, whose text the platform fetches about every second until they are finished. */
export class PulledStreams {
  readonly #timing: PullTiming;
  readonly #streams = new Map<string, PulledStream>();

  constructor(timing: PullTiming) {
    this.#timing = timing;
  }

  /**
   * The stream of a question. One that is not known was begun before a restart.
   * @param begunAt milliseconds since 1970
   * @param chat key of the conversation
   */
  of(id: string, begunAt: number, chat: string): PulledStream {
    const known = this.#streams.get(id);
    if (known !== undefined) return known;
    if (this.#streams.size >= remembered) this.#forgetOld();
    const stream = new PulledStream(id, { begunAt, chat, timing: this.#timing });
    this.#streams.set(id, stream);
    return stream;
  }

  /** Null for an unknown one: after a restart, its answer may be taken up again. */
  fetch(id: string): FetchedStream | null {
    return this.#streams.get(id)?.fetch() ?? null;
  }

  /** Answers to a conversation are being generated. */
  noteTyping(chat: string): void {
    for (const stream of this.#streams.values()) if (stream.chat === chat) stream.noteSign();
  }

  stop(): void {
    for (const stream of this.#streams.values()) stream.stop();
  }

  #forgetOld(): void {
    const oldest = present() - 2 * this.#timing.streamMs;
    for (const [id, { begunAt }] of this.#streams) if (begunAt < oldest) this.#streams.delete(id);
  }
}

export interface PulledStreamOptions {
  begunAt: number;
  chat: string;
  timing: PullTiming;
}

/** A stream of one question. */
export class PulledStream {
  readonly id: string;
  readonly begunAt: number;
  readonly chat: string;
  /** Token of the message that it shows; null before there is one. */
  owner: string | null = null;
  readonly #timing: PulledStreamOptions['timing'];
  readonly #end = Promise.withResolvers<boolean>();
  #content = '';
  #items: readonly PictureItem[] = [];
  #isFinished = false;
  /** What the platform has. */
  #shown = '';
  #lastSign = present();
  /** A response with the end was given out, and is not known to have been written. */
  #isEndLost = false;
  /** Set once the end was written. */
  #settling: NodeJS.Timeout | undefined;

  constructor(id: string, { begunAt, chat, timing }: PulledStreamOptions) {
    this.id = id;
    this.begunAt = begunAt;
    this.chat = chat;
    this.#timing = timing;
    this.#end.promise.catch(() => undefined);
  }

  /** Whether it takes text. */
  get isOpen(): boolean {
    this.#endInTime();
    return !this.#isFinished;
  }

  /** The text that users see. */
  get shown(): string {
    return this.#shown;
  }

  noteSign(): void {
    this.#lastSign = present();
  }

  update(content: string): void {
    this.noteSign();
    if (this.isOpen) this.#content = content;
  }

  /** Ends it with this text. */
  finish(content: string, items: readonly PictureItem[]): void {
    if (!this.isOpen) return;
    this.#content = content;
    this.#items = items;
    this.#isFinished = true;
  }

  /** Ends it as it is. */
  close(): void {
    this.#isFinished = true;
  }

  /**
   * Waits until the platform has fetched the end.
   * @returns false when it does not ask any more: what it has not fetched will not be shown in the stream
   * @throws DeliveryError `unknown`
   */
  async untilFetched(milliseconds: number): Promise<boolean> {
    const giveUp = () => this.#settling === undefined && this.#end.resolve(false);
    const timer = setTimeout(giveUp, milliseconds);
    try {
      if (await this.#end.promise) return true;
    } finally {
      clearTimeout(timer);
    }
    if (this.#isEndLost) throw unknown('It is unknown whether WeCom fetched the end of the answer');
    // Should it ask after all, it must not show twice what now follows in another message.
    this.#content = this.#shown;
    this.#items = [];
    return false;
  }

  fetch(): FetchedStream {
    this.#endInTime();
    const content = this.#content;
    const finish = this.#isFinished;
    const items = finish && this.#items.length > 0 ? { msg_item: this.#items } : {};
    this.#isEndLost ||= finish;
    return {
      stream: { id: this.id, finish, content, ...items },
      sent: (wasWritten) => {
        if (wasWritten) this.#shown = content;
        if (finish && wasWritten) this.#settle();
      },
    };
  }

  /** It is shown a little after it was written. */
  #settle(): void {
    this.#settling ??= setTimeout(() => this.#end.resolve(true), this.#timing.settleMs).unref();
  }

  stop(): void {
    clearTimeout(this.#settling);
    this.#end.reject(unknown('The bot was stopped before WeCom fetched the answer'));
  }

  /** It is checked with each request of the platform, which comes every second, so that it needs no timer. */
  #endInTime(): void {
    const isUnanswered = this.owner === null && present() - this.#lastSign > this.#timing.unansweredMs;
    if (isUnanswered || present() - this.begunAt > this.#timing.streamMs) this.close();
  }
}

function unknown(message: string): DeliveryError {
  return new DeliveryError('unknown', 'platform_failed', message);
}
