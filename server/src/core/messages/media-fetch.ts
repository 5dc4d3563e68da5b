import {
  type Logger,
  type MediaReference,
  type MessageChain,
  type MessageElement,
  type MessageEvent,
  ParleyError,
  type PlatformContext,
  type Reason,
  type StoredMedia,
} from '@parley/sdk';
import pRetry from 'p-retry';
import { retryableError } from '../../lib/retryable-error.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { untilAborted } from '../../lib/waiting.ts';
import type { RunningBot } from '../bots/running-bot.ts';
import { elementsOf, mapChain } from '../files/map-chain.ts';
import type { Message } from './message.ts';

/** A {@link MediaReference} as it is stored. */
export interface SealedMediaReference {
  id: string;
  name: string;
  sealed_value: string;
}

export interface MediaReferenceStore {
  /** The content of a message that is not fetched yet. */
  of(messageUuid: string): Promise<SealedMediaReference[]>;
  /** Stores the chain of a message with its content, and removes its references, in one transaction. */
  settle(messageUuid: string, chain: MessageChain): Promise<void>;
}

export interface MediaFetchOptions {
  references: MediaReferenceStore;
  secrets: SecretBox;
  storeMedia: PlatformContext['storeMedia'];
  logger: Logger;
  /** Time for all content of one message, milliseconds. Default: a minute. */
  timeoutMs?: number;
}

type MediaOwner = Pick<Message, 'uuid' | 'bot_uuid' | 'platform_message_id' | 'message_chain'>;
type FetchMedia = NonNullable<RunningBot['adapter']['fetchMedia']>;

/** Content that is being fetched, for the pipeline and for webhooks, which may need it at the same time. */
interface RunningFetch {
  chain: Promise<MessageChain>;
  /** Ends it. */
  end: AbortController;
  /** How many callers need the result. */
  waiting: number;
}

type Holder = Extract<MessageElement, { type: 'Image' | 'Voice' | 'File' }>;

/** Attempts at one file, and the pause before the second, milliseconds. */
const [maximumAttempts, firstPauseMs] = [4, 500];

/** After these, no later attempt would succeed. */
const lastingReasons: readonly Reason[] = ['not_found', 'too_large', 'empty_file', 'address_not_allowed'];

/** Fetches the content of messages after they were stored and before they are answered. */
export class MediaFetch {
  readonly #options: MediaFetchOptions;
  /** Messages whose content is being fetched, by uuid. */
  readonly #running = new Map<string, RunningFetch>();

  constructor(options: MediaFetchOptions) {
    this.#options = options;
  }

  /** The references of a message that arrived, to be stored with it. */
  sealed(botUuid: string, { platform_message_id, media = [] }: MessageEvent): SealedMediaReference[] {
    const byId = new Map(media.map((reference) => [reference.id, reference]));
    return [...byId.values()].map(({ id, name, value }) => ({
      id,
      name,
      sealed_value: this.#options.secrets.seal(
        JSON.stringify(value) ?? 'null',
        nameOf(botUuid, platform_message_id, id),
      ),
    }));
  }

  /**
   * @returns the chain of a message with its content, which is stored. What cannot be fetched is replaced by an element
   *   that says so
   * @throws the signal's reason; then it is fetched another time
   */
  async complete<Owner extends MediaOwner>(
    message: Owner,
    { adapter }: RunningBot,
    signal: AbortSignal,
  ): Promise<Owner> {
    if (adapter.fetchMedia === undefined || !hasMissing(message.message_chain)) return message;
    const fetch = this.#running.get(message.uuid) ?? this.#start(message, adapter.fetchMedia.bind(adapter));
    fetch.waiting += 1;
    try {
      return { ...message, message_chain: await untilAborted(fetch.chain, signal) };
    } finally {
      fetch.waiting -= 1;
      if (fetch.waiting === 0) fetch.end.abort(signal.reason);
    }
  }

  #start(message: MediaOwner, fetchMedia: FetchMedia): RunningFetch {
    const end = new AbortController();
    const chain = this.#complete(message, fetchMedia, end.signal).finally(() => this.#running.delete(message.uuid));
    const fetch = { chain, end, waiting: 0 };
    this.#running.set(message.uuid, fetch);
    return fetch;
  }

  async #complete(message: MediaOwner, fetchMedia: FetchMedia, signal: AbortSignal): Promise<MessageChain> {
    const { references, logger, timeoutMs = 60_000 } = this.#options;
    const missing = await references.of(message.uuid);
    if (missing.length === 0) return message.message_chain;
    const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const fetched = new Map(
      await Promise.all(
        missing.map(async (reference): Promise<[id: string, media: StoredMedia | null]> => {
          try {
            return [reference.id, await this.#fetched(message, reference, fetchMedia, until)];
          } catch (error) {
            signal.throwIfAborted();
            const reason = error instanceof ParleyError ? error.reason : null;
            logger.warn({ bot: message.bot_uuid, message: message.uuid, reason, error }, 'content was not fetched');
            return [reference.id, null];
          }
        }),
      ),
    );
    const chain = await mapChain(message.message_chain, (element) => {
      const media = isHolder(element) ? fetched.get(idOf(element) ?? '') : undefined;
      return media === undefined ? element : withMedia(element as Holder, media);
    });
    await references.settle(message.uuid, chain);
    return chain;
  }

  #fetched(
    { bot_uuid, platform_message_id }: MediaOwner,
    { id, name, sealed_value }: SealedMediaReference,
    fetchMedia: FetchMedia,
    signal: AbortSignal,
  ): Promise<StoredMedia> {
    const { secrets, storeMedia } = this.#options;
    const value: unknown = JSON.parse(secrets.open(sealed_value, nameOf(bot_uuid, platform_message_id ?? '', id)));
    const attempt = async () => {
      try {
        const content = await untilAborted(fetchMedia(value, signal), signal);
        return await untilAborted(storeMedia(name, content), signal);
      } catch (error) {
        throw retryableError(error);
      }
    };
    return pRetry(attempt, {
      retries: maximumAttempts - 1,
      minTimeout: firstPauseMs,
      randomize: true,
      signal,
      shouldRetry: ({ error }) => !(error instanceof ParleyError && lastingReasons.includes(error.reason)),
    });
  }
}

/** Names the record of a reference to the box of its secrets. */
function nameOf(botUuid: string, platformMessageId: string, id: MediaReference['id']): string {
  return JSON.stringify(['media-reference', botUuid, platformMessageId, id]);
}

function isHolder(element: MessageElement): element is Holder {
  return element.type === 'Image' || element.type === 'Voice' || element.type === 'File';
}

/** The platform's id of the content of an element that has none here. */
function idOf(element: Holder): string | null {
  if (element.path || element.url || element.base64) return null;
  if (element.type === 'Image') return element.image_id ?? null;
  return (element.type === 'Voice' ? element.voice_id : element.id) ?? null;
}

function hasMissing(chain: MessageChain): boolean {
  return elementsOf(chain).some((element) => isHolder(element) && idOf(element) !== null);
}

const unavailable: Record<Holder['type'], string> = {
  Image: '[Image: not available]',
  Voice: '[Voice message: not available]',
  File: '[File: not available]',
};

function withMedia(element: Holder, media: StoredMedia | null): MessageElement {
  if (media === null) {
    const name = element.type === 'File' ? element.name : null;
    return { type: 'Unknown', text: name ? `[File ${name}: not available]` : unavailable[element.type] };
  }
  if (element.type === 'Image') return { ...element, path: media.path, url: media.url ?? null };
  return element.type === 'File'
    ? { ...element, path: media.path, size: media.size }
    : { ...element, path: media.path };
}
