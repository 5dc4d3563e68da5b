import { createHash } from 'node:crypto';
import { DeliveryError } from '../../../src/delivery-error.ts';
import type { MessageChain } from '../../../src/message-chain.ts';
import type { MessageStream, SendProgress, SentMessage } from '../../../src/platform.ts';
import type { Shared } from './config.ts';
import { cut, longest, streamedText } from './render.ts';
import type { Head, Sender } from './sender.ts';

/** A message of the platform that shows a part of the answer; places are UTF-16 units of the answer. */
interface Segment {
  id: string;
  from: number;
  /** Null while it can be edited. */
  until: number | null;
}

interface Handle {
  segments: Segment[];
  /** Digest of the text that closed segments show. */
  digest: string;
}

/** An answer in a group: messages that are edited while it grows, one after the other. */
export class GrowingAnswer implements MessageStream {
  readonly #head: Head;
  readonly #sender: Sender;
  readonly #shared: Shared;
  readonly #progress: SendProgress;
  readonly #segments: Segment[];
  #digest: string;
  /** The text that the last segment shows. */
  #shown = '';
  #text = '';
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #end: DeliveryError | null = null;

  constructor(head: Head, progress: SendProgress, sender: Sender, shared: Shared) {
    this.#head = head;
    this.#progress = progress;
    this.#sender = sender;
    this.#shared = shared;
    const handle = shared.has('ignores the handle') ? null : (progress.handle as Handle | null);
    this.#segments = handle?.segments ?? [];
    this.#digest = handle?.digest ?? digestOf('');
  }

  async update(chain: MessageChain): Promise<void> {
    const text = streamedText(chain);
    await this.#inTurn(async () => {
      if (this.#end !== null) throw this.#end;
      await this.#show(text, true);
    }).catch((error: unknown) => {
      if (this.#shared.has('ends with the rate limit of an edit')) this.#end = error as DeliveryError;
      throw error;
    });
  }

  async finish(chain: MessageChain): Promise<SentMessage> {
    clearTimeout(this.#timer);
    const text = streamedText(chain);
    await this.#inTurn(async () => {
      if (this.#end !== null) throw this.#end;
      do await this.#show(text, false);
      while (this.#from < text.length);
      await this.#sender.sendFiles(this.#head, chain);
    });
    return { platform_message_id: this.#segments[0]?.id ?? '' };
  }

  async abandon(): Promise<void> {
    if (!this.#shared.has('leaves an abandoned message unfinished')) await this.#inTurn(() => this.#close());
  }

  shows(id: string): boolean {
    return this.#segments.some((segment) => segment.id === id);
  }

  /** The user stopped it. */
  stop(): void {
    this.end();
    this.#end = new DeliveryError('refused', 'cancelled', 'The user stopped the answer');
  }

  /** Its bot is stopped; another one may go on. */
  end(): void {
    clearTimeout(this.#timer);
  }

  get #last(): Segment | undefined {
    return this.#segments.at(-1);
  }

  /** Where the text goes on. */
  get #from(): number {
    return this.#last?.until ?? this.#last?.from ?? 0;
  }

  async #show(text: string, open: boolean): Promise<void> {
    const closed = this.#last?.until ?? this.#last?.from ?? 0;
    // Another attempt may word it differently: then what stands is left, and a new one begins.
    const isContinued = closed === 0 || digestOf(text.slice(0, closed)) === this.#digest;
    const from = isContinued ? closed : 0;
    const rest = text.slice(from);
    const part = cut(rest, this.#shared.has('edits beyond the limit') ? 10_000 : longest.edit, this.#shared);
    if (part === '') return;
    const stays = open && part.length === rest.length;
    this.#text = text;
    const isEdited = isContinued && this.#last?.until === null && (await this.#edit(this.#last, part, stays));
    if (!isEdited) await this.#post(part, this.#last?.until ?? from, stays);
    this.#shown = part;
    if (!stays) await this.#closed(this.#last as Segment);
  }

  async #post(part: string, from: number, open: boolean): Promise<void> {
    const number = this.#segments.length;
    const isAnew = this.#shared.has('ignores the handle') && this.#progress.handle !== null;
    // The first has used the token of the question.
    const head = number === 0 && !isAnew ? this.#head : { ...this.#head, reply_to: null };
    const key = `${isAnew ? Math.random() : this.#head.idempotency_token}/${number}`;
    const id = await this.#sender.post(head, { text: part, notify: [], key, open });
    this.#segments.push({ id, from, until: null });
    this.#watch();
    await this.#store();
  }

  /** @returns false when the platform has closed the message, so that the text goes on in another one */
  async #edit(segment: Segment, part: string, open: boolean): Promise<boolean> {
    if (part === this.#shown && open) return true;
    try {
      await this.#sender.edit(segment.id, part, open);
      return true;
    } catch (error) {
      if (!(error instanceof DeliveryError) || !error.message.startsWith('closed:')) throw error;
      if (this.#shared.has('edits a closed stream')) return true;
      await this.#closed(segment);
      return false;
    }
  }

  /** Ends the message in time, also while no text comes. */
  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#inTurn(() => this.#close()).catch(() => undefined);
    }, this.#shared.timing.stream);
  }

  async #close(): Promise<void> {
    clearTimeout(this.#timer);
    const segment = this.#last;
    if (segment === undefined || segment.until !== null) return;
    await this.#sender.edit(segment.id, this.#shown, false);
    await this.#closed(segment);
  }

  async #closed(segment: Segment): Promise<void> {
    segment.until = segment.from + this.#shown.length;
    this.#digest = digestOf(this.#text.slice(0, segment.until));
    await this.#store();
  }

  async #store(): Promise<void> {
    await this.#progress.store({ segments: this.#segments, digest: this.#digest } satisfies Handle);
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}
