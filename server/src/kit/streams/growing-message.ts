import { DeliveryError, type MessageChain, type MessageStream, type SendProgress, type SentMessage } from '@parley/sdk';
import { digestOf } from './digest.ts';

/** Identifies a message on its platform. JSON. */
export type MessageId = string | number;

/** The content of one message of the platform: a part of an outgoing message, which may take several. */
export interface MessagePart {
  /** Tells contents apart; see {@link digestOf}. */
  digest: string;
  /**
   * Makes one attempt to send it.
   * @param mark to send with it, so that {@link GrowingMessageOptions.find} finds it
   * @throws DeliveryError
   */
  send(mark: string): Promise<MessageId>;
  /** What it can be found by instead, where nothing can be sent with it. */
  mark?: string;
  /**
   * Changes a message that shows something else to this content.
   * @param shownDigest the digest of what it shows; empty if unknown
   * @returns false when that message cannot be changed: it is removed, and a new one takes its place
   * @throws DeliveryError
   */
  edit(id: MessageId, shownDigest: string): Promise<boolean>;
}

export interface GrowingMessageOptions {
  progress: SendProgress;
  /**
   * Renders an outgoing message into messages of the platform. Of one that grows (`isFinal` false), only texts are shown.
   * @param closed how many messages stand before these, closed before the text was complete
   * @throws ParleyError, before anything of it is shown
   */
  parts(chain: MessageChain, isFinal: boolean, closed: number): Promise<readonly MessagePart[]>;
  /** Removes a message that is no longer part of it. */
  remove(id: MessageId): Promise<void>;
  /**
   * Looks for a message that was sent with an unknown outcome. Its mark is stored before it is sent then. Absent where
   * messages cannot be found.
   * @returns null when the platform does not show such a message, which does not prove that there is none
   * @throws DeliveryError when another attempt may find it
   */
  find?(mark: string, since: Date): Promise<MessageId | null>;
  /** The platform's error as a delivery error. */
  failureOf(error: unknown): DeliveryError;
  /** The id of the whole, from that of its first message. */
  idOf(first: MessageId): string;
  /** Whether it is too early for another update; a later one shows more. Default: never. */
  isPaced?(): boolean;
  /** How long a message can be changed, where that is limited. */
  duration?: {
    /** From when it was sent, milliseconds. */
    ms: number;
    /** Ends the message as it stands, so that it no longer looks unfinished. The rest of the text follows in another one. */
    close(id: MessageId): Promise<void>;
  };
}

/** A message of the platform and the digest of its content; empty if unknown. */
type Shown = [id: MessageId, digest: string];

/** Messages that were closed before the text was complete. */
interface Closed {
  /** How many of those shown. */
  messages: number;
  /** The text that they show, which the others continue: its length in UTF-16 units, and its digest. */
  length: number;
  digest: string;
}

/** A message that is being sent: its mark, and since when, milliseconds since 1970. */
type Sending = [mark: string, since: number];

/** The handle for {@link SendProgress.store}: the messages in order. */
interface Handle {
  shown: Shown[];
  closed?: Closed;
  /** The message behind them that may be there; null if there is none, absent if that is unknown. */
  sending?: Sending | null;
}

const noneClosed: Closed = { messages: 0, length: 0, digest: digestOf('') };

/**
 * An outgoing message in a chat of a platform that can edit messages: one or several messages there, sent once and then
 * edited. Complete and streamed messages use the same code, so that either can be continued after a crash.
 */
export class GrowingMessage implements MessageStream {
  readonly #options: GrowingMessageOptions;
  readonly #shown: Shown[];
  #closed: Closed;
  #sending: Handle['sending'];
  /** The text that is shown, with that of closed messages. */
  #text = '';
  #timer: NodeJS.Timeout | undefined;
  /** Calls that change the chat, one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  /** After a failure that another attempt would not mend, or might double, only the finished message is sent. */
  #isHeldBack = false;

  constructor(options: GrowingMessageOptions) {
    this.#options = options;
    const { shown, closed = noneClosed, sending } = readHandle(options.progress.handle);
    this.#shown = shown;
    this.#sending = sending;
    this.#closed = closed;
  }

  async update(chain: MessageChain): Promise<void> {
    const { isPaced, parts, failureOf } = this.#options;
    if (this.#isHeldBack || isPaced?.() === true) return;
    try {
      await this.#inTurn(async () => {
        await this.#show(await parts(this.#rest(chain), false, this.#closed.messages), false);
        this.#text = textOf(chain);
      });
    } catch (error) {
      const failure = failureOf(error);
      this.#isHeldBack = failure.kind === 'refused' || (failure.kind === 'unknown' && !failure.isRepeatable);
      throw failure;
    }
  }

  /** @throws DeliveryError when the whole message is not, or may not be, in the chat */
  async finish(chain: MessageChain): Promise<SentMessage> {
    const { failureOf, idOf } = this.#options;
    try {
      await this.#inTurn(() => this.#complete(chain));
    } catch (error) {
      throw failureOf(error);
    }
    const [first] = this.#shown[0] as Shown;
    return { platform_message_id: idOf(first) };
  }

  /** Ends what is shown as it stands. */
  async abandon(): Promise<void> {
    await this.#inTurn(() => this.#close());
  }

  async #complete(chain: MessageChain): Promise<void> {
    clearTimeout(this.#timer);
    const { parts, remove } = this.#options;
    const rendered = await parts(this.#rest(chain), true, this.#closed.messages);
    const count = this.#closed.messages + rendered.length;
    if (count === 0) throw new DeliveryError('refused', 'unsupported_element', 'The message has no content to send');
    await this.#show(rendered, true);
    await this.#found().catch(() => undefined);
    // A text can take fewer messages once it is complete.
    for (const [id] of this.#shown.splice(count)) await remove(id).catch(() => undefined);
  }

  /** What closed messages do not show. A text that does not continue theirs is shown as a whole. */
  #rest(chain: MessageChain): MessageChain {
    const { length, digest } = this.#closed;
    const [first, ...others] = chain;
    if (length === 0 || first?.type !== 'Plain' || digestOf(first.text.slice(0, length)) !== digest) return chain;
    const text = first.text.slice(length);
    return text.trim() === '' ? others : [{ ...first, text }, ...others];
  }

  get #handle(): Handle {
    const handle: Handle = { shown: this.#shown };
    if (this.#closed !== noneClosed) handle.closed = this.#closed;
    if (this.#sending !== undefined) handle.sending = this.#sending;
    return handle;
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** Has the last message closed in time, also while no text comes. */
  #watchDuration(): void {
    const { duration } = this.#options;
    if (duration === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#inTurn(() => this.#close()).catch(() => undefined), duration.ms);
    this.#timer.unref();
  }

  async #close(): Promise<void> {
    clearTimeout(this.#timer);
    const { duration, progress } = this.#options;
    const [id] = this.#shown.at(-1) ?? [];
    if (duration === undefined || id === undefined || this.#shown.length === this.#closed.messages) return;
    // Even if the platform refuses, the message is not changed again.
    const digest = digestOf(this.#text);
    this.#closed = { messages: this.#shown.length, length: this.#text.length, digest };
    await progress.store(this.#handle);
    await duration.close(id);
  }

  /** The old content must not stay next to its replacement; if its removal is refused, it stays. */
  async #removeReplaced(id: MessageId): Promise<void> {
    const { remove, failureOf } = this.#options;
    try {
      await remove(id);
    } catch (error) {
      if (failureOf(error).kind !== 'refused') throw error;
    }
  }

  /** An earlier attempt was cut off behind the messages that are known, perhaps while it sent another one. */
  get #mayBeShown(): boolean {
    if (!this.#options.progress.isInterrupted) return false;
    return this.#sending === undefined ? this.#shown.length > 0 : this.#sending !== null;
  }

  /** The message that was sent with an unknown outcome, if the platform shows it. */
  async #found(): Promise<Shown | undefined> {
    const { find, progress } = this.#options;
    const [mark, since = 0] = this.#sending ?? [];
    if (find === undefined || mark === undefined) return undefined;
    const id = await find(mark, new Date(since));
    if (id === null) return undefined;
    const shown: Shown = [id, ''];
    this.#shown.push(shown);
    this.#sending = null;
    await progress.store(this.#handle);
    return shown;
  }

  async #send(part: MessagePart): Promise<MessageId> {
    const { find, progress, failureOf } = this.#options;
    if (find === undefined) return part.send('');
    const { mark = crypto.randomUUID() } = part;
    const since = Date.now();
    this.#sending = [mark, since];
    await progress.store(this.#handle);
    let id: MessageId | null;
    try {
      id = await part.send(mark);
    } catch (error) {
      const isUnknown = failureOf(error).kind === 'unknown';
      id = isUnknown ? await find(mark, new Date(since)).catch(() => null) : null;
      if (!isUnknown) this.#sending = null;
      if (id === null) throw error;
    }
    this.#sending = null;
    return id;
  }

  async #show(parts: readonly MessagePart[], isFinal: boolean): Promise<void> {
    const { progress } = this.#options;
    const { messages: closed } = this.#closed;
    for (const [place, part] of parts.entries()) {
      const index = closed + place;
      const shown = this.#shown[index] ?? (await this.#found());
      if (shown?.[1] === part.digest) continue;
      if (shown !== undefined) {
        if (await part.edit(...shown)) {
          shown[1] = part.digest;
          continue;
        }
        await this.#removeReplaced(shown[0]);
      }
      if (shown === undefined && this.#mayBeShown) {
        throw new DeliveryError('unknown', 'interrupted', 'It is unknown whether the rest of the message was sent');
      }
      this.#shown[index] = [await this.#send(part), part.digest];
      if (!isFinal) this.#watchDuration();
      const isLastCall = isFinal && place === parts.length - 1 && this.#shown.length <= index + 1;
      if (!isLastCall) await progress.store(this.#handle);
    }
  }
}

function textOf(chain: MessageChain): string {
  const [first] = chain;
  return first?.type === 'Plain' ? first.text : '';
}

/** Tolerates any stored value: an invalid handle refers to no messages. */
function readHandle(handle: unknown): Handle {
  const { shown, closed, sending } = (handle ?? {}) as Partial<Handle>;
  if (!Array.isArray(shown)) return { shown: [] };
  const messages = shown.flatMap((entry): Shown[] => {
    const [id, digest] = Array.isArray(entry) ? entry : [];
    return typeof id === 'string' || Number.isSafeInteger(id) ? [[id as MessageId, String(digest ?? '')]] : [];
  });
  const isClosed = Number.isSafeInteger(closed?.messages) && (closed as Closed).messages <= messages.length;
  const known: Handle = { shown: messages };
  if (isClosed) known.closed = closed as Closed;
  if (sending === null || (typeof sending?.[0] === 'string' && Number.isSafeInteger(sending[1])))
    known.sending = sending;
  return known;
}
