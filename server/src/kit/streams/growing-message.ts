import { DeliveryError, type MessageChain, type MessageStream, type SendProgress, type SentMessage } from '@parley/sdk';

/** Identifies a message on its platform. JSON. */
export type MessageId = string | number;

/** The content of one message of the platform: a part of an outgoing message, which may take several. */
export interface MessagePart {
  /** Tells contents apart; see {@link digestOf}. */
  digest: string;
  /** Makes one attempt to send it. @throws DeliveryError */
  send(): Promise<MessageId>;
  /**
   * Changes a message that shows something else to this content.
   * @param shownDigest the digest of what it shows; empty if unknown
   * @returns false when that message cannot be changed and was removed where possible: a new one takes its place
   * @throws DeliveryError
   */
  edit(id: MessageId, shownDigest: string): Promise<boolean>;
}

export interface GrowingMessageOptions {
  progress: SendProgress;
  /**
   * Renders an outgoing message into messages of the platform. Of one that grows (`isFinal` false), only texts are shown.
   * @throws ParleyError, before anything of it is shown
   */
  parts(chain: MessageChain, isFinal: boolean): Promise<readonly MessagePart[]>;
  /** Removes a message that is no longer part of it. */
  remove(id: MessageId): Promise<void>;
  /** The platform's error as a delivery error. */
  failureOf(error: unknown): DeliveryError;
  /** The id of the whole, from that of its first message. */
  idOf(first: MessageId): string;
  /** Whether it is too early for another update; a later one shows more. Default: never. */
  isPaced?(): boolean;
}

/** A message of the platform and the digest of its content; empty if unknown. */
type Shown = [id: MessageId, digest: string];

/** The handle for {@link SendProgress.store}: the messages in order. */
interface Handle {
  shown: Shown[];
}

/**
 * An outgoing message in a chat of a platform that can edit messages: one or several messages there, sent once and then
 * edited. Complete and streamed messages use the same code, so that either can be continued after a crash.
 */
export class GrowingMessage implements MessageStream {
  readonly #options: GrowingMessageOptions;
  readonly #shown: Shown[];
  /** After a failure that another attempt would not mend, or might double, only the finished message is sent. */
  #isHeldBack = false;

  constructor(options: GrowingMessageOptions) {
    this.#options = options;
    this.#shown = readHandle(options.progress.handle);
  }

  async update(chain: MessageChain): Promise<void> {
    const { isPaced, parts, failureOf } = this.#options;
    if (this.#isHeldBack || isPaced?.() === true) return;
    const rendered = await parts(chain, false);
    try {
      await this.#show(rendered, false);
    } catch (error) {
      const failure = failureOf(error);
      this.#isHeldBack = failure.kind === 'refused' || (failure.kind === 'unknown' && !failure.isRepeatable);
      throw failure;
    }
  }

  /** @throws DeliveryError when the whole message is not, or may not be, in the chat */
  async finish(chain: MessageChain): Promise<SentMessage> {
    const { parts, remove, failureOf, idOf } = this.#options;
    try {
      const rendered = await parts(chain, true);
      if (rendered.length === 0) {
        throw new DeliveryError('refused', 'unsupported_element', 'The message has no content to send');
      }
      await this.#show(rendered, true);
      // A text can take fewer messages once it is complete.
      for (const [id] of this.#shown.splice(rendered.length)) await remove(id).catch(() => undefined);
    } catch (error) {
      throw failureOf(error);
    }
    const [first] = this.#shown[0] as Shown;
    return { platform_message_id: idOf(first) };
  }

  async #show(parts: readonly MessagePart[], isFinal: boolean): Promise<void> {
    const { progress } = this.#options;
    for (const [index, part] of parts.entries()) {
      const shown = this.#shown[index];
      if (shown?.[1] === part.digest) continue;
      if (shown !== undefined && (await part.edit(...shown))) {
        shown[1] = part.digest;
        continue;
      }
      // An earlier attempt was cut off behind the messages that are known, perhaps while it sent this one.
      if (shown === undefined && progress.isInterrupted && this.#shown.length > 0) {
        throw new DeliveryError('unknown', 'interrupted', 'It is unknown whether the rest of the message was sent');
      }
      this.#shown[index] = [await part.send(), part.digest];
      const isLastCall = isFinal && index === parts.length - 1 && this.#shown.length <= parts.length;
      if (!isLastCall) await progress.store({ shown: this.#shown } satisfies Handle);
    }
  }
}

/** Tolerates any stored value: an invalid handle refers to no messages. */
function readHandle(handle: unknown): Shown[] {
  const { shown } = (handle ?? {}) as Partial<Handle>;
  if (!Array.isArray(shown)) return [];
  return shown.flatMap((entry): Shown[] => {
    const [id, digest] = Array.isArray(entry) ? entry : [];
    return typeof id === 'string' || Number.isSafeInteger(id) ? [[id as MessageId, String(digest ?? '')]] : [];
  });
}
