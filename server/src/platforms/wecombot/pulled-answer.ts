import {
  DeliveryError,
  type MessageChain,
  type MessageStream,
  ParleyError,
  type PlatformContext,
  type SendProgress,
  type SentMessage,
} from '@parley/sdk';
import { bytesOf, requiredFile } from '../../kit/media/outgoing-file.ts';
import { textParts } from '../../kit/text-parts.ts';
import { type PictureItem, pictureItem, pictureType } from './pictures.ts';
import type { PulledStream } from './pulled-streams.ts';
import { type FileElement, longestText, type RenderedPart, renderChain } from './render.ts';
import type { Timing } from './timing.ts';

export interface PulledAnswerOptions {
  stream: PulledStream;
  /** Sends a message to the conversation, once for each question. */
  reply(content: string): Promise<void>;
  progress: SendProgress;
  /** Of the attempt. */
  token: string;
  context: Pick<PlatformContext, 'readMedia' | 'fetchContent'>;
  timing: Pick<Timing, 'fetchMs'>;
}

/** Largest picture of a stream, bytes. @see https://developer.work.weixin.qq.com/document/path/101031 */
const largestPicture = 10 * 1024 * 1024;

/** An answer by webhook: in the stream of its question while that is open, and what remains as a reply of its own. */
export class PulledAnswer implements MessageStream {
  readonly #options: PulledAnswerOptions;
  #isStored = false;

  constructor(options: PulledAnswerOptions) {
    this.#options = options;
  }

  async update(chain: MessageChain): Promise<void> {
    const { stream } = this.#options;
    if (!this.#claims()) return;
    await this.#store();
    stream.update(firstText(renderChain(chain)));
  }

  async finish(chain: MessageChain): Promise<SentMessage> {
    const { stream, timing } = this.#options;
    const parts = renderChain(chain);
    if (parts.length === 0) {
      throw new DeliveryError('refused', 'unsupported_element', 'The message has no content to send');
    }
    const items = await this.#picturesOf(parts);
    if (this.#claims() && stream.isOpen) {
      await this.#store();
      stream.finish(firstText(parts), items);
      if (await stream.untilFetched(timing.fetchMs)) {
        await this.#reply(parts.slice(1).map(textOf).join('\n'));
        return { platform_message_id: stream.id };
      }
    }
    if (items.length > 0) throw new ParleyError('unsupported_element', 'A reply after the stream can have no pictures');
    const text = parts.map(textOf).join('\n');
    const shown = this.#owns ? stream.shown : '';
    await this.#reply(text.startsWith(shown) ? text.slice(shown.length) : text);
    return this.#owns ? { platform_message_id: stream.id } : {};
  }

  async abandon(): Promise<void> {
    if (this.#owns) this.#options.stream.close();
  }

  /** Takes the stream, unless it is over or of another message. @returns whether it is of this one */
  #claims(): boolean {
    const { stream, token } = this.#options;
    if (stream.isOpen) stream.owner ??= token;
    return this.#owns;
  }

  get #owns(): boolean {
    const { stream, token } = this.#options;
    return stream.owner === token;
  }

  /** Notes that something of it may be shown. */
  async #store(): Promise<void> {
    if (this.#isStored) return;
    this.#isStored = true;
    const { progress, stream } = this.#options;
    await progress.store({ stream: stream.id });
  }

  async #reply(text: string): Promise<void> {
    if (text.trim() === '') return;
    for (const part of textParts(text.trim(), { most: longestText, unit: 'bytes' })) await this.#options.reply(part);
  }

  /** The pictures below the first text. @throws ParleyError `unsupported_element` for other files */
  async #picturesOf(parts: readonly RenderedPart[]): Promise<PictureItem[]> {
    const [first, ...rest] = parts;
    const hasOther = rest.some((part) => 'file' in part || part.pictures.length > 0);
    const files = first === undefined ? [] : 'file' in first ? [first.file] : first.pictures;
    if (hasOther || files.some(({ type }) => type !== 'Image')) {
      throw new ParleyError('unsupported_element', 'By webhook, a bot can only send pictures at the end of an answer');
    }
    return Promise.all(files.map((file) => this.#itemOf(file)));
  }

  async #itemOf(element: FileElement): Promise<PictureItem> {
    const options = { maximumBytes: largestPicture, platform: 'WeCom' };
    const bytes = await bytesOf(await requiredFile(element, 'image', this.#options.context, options));
    if (pictureType(bytes) === null) throw new ParleyError('unsupported_element', 'Pictures must be PNG or JPEG');
    return pictureItem(bytes);
  }
}

function firstText(parts: readonly RenderedPart[]): string {
  const [first] = parts;
  return first === undefined ? '' : textOf(first);
}

function textOf(part: RenderedPart): string {
  return 'text' in part ? part.text : '';
}
