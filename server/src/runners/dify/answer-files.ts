import type { Logger, MessageElement, RunnerDelta } from '@parley/sdk';
import type { ServiceClient } from '../../kit/services/service-client.ts';
import { isRecord, textAt } from '../../kit/services/values.ts';

/** Files that are fetched for one answer, and bytes of each. */
const maximumFiles = 10;
const maximumFileBytes = 10 * 1024 * 1024;

/** A file created by an application, as returned by Dify. */
interface DifyFile {
  kind: string;
  address: string;
  name: string;
}

/**
 * Files of an answer as attachments, each once. Dify's signed URLs expire within minutes, and it may be in a private
 * network, so files that it serves itself are fetched at once.
 */
export class AnswerFiles {
  readonly #client: ServiceClient;
  readonly #base: URL | null;
  readonly #logger: Logger;
  readonly #seen = new Set<string>();

  /** @param base address of the API, as an administrator saved it */
  constructor(client: ServiceClient, base: string, logger: Logger) {
    this.#client = client;
    this.#base = URL.parse(base);
    this.#logger = logger;
  }

  /** The files in a value. @param value of an event: a file, a list of files, or anything else */
  async *attached(value: unknown): AsyncGenerator<RunnerDelta> {
    const candidates = Array.isArray(value) ? value : [value];
    for (const candidate of candidates) {
      const file = fileIn(candidate);
      if (file === null || this.#seen.has(file.address) || this.#seen.size === maximumFiles) continue;
      this.#seen.add(file.address);
      const element = await this.#elementOf(file);
      if (element !== null) yield { type: 'attachment', element };
    }
  }

  async #elementOf(file: DifyFile): Promise<MessageElement | null> {
    // Dify writes addresses from its own root where it does not know under which name it is reached.
    const address = this.#base === null ? null : URL.parse(file.address, this.#base.origin);
    if (address === null || !/^https?:$/.test(address.protocol)) return null;
    if (address.origin !== this.#base?.origin) return elementOf(file, { url: address.href });
    try {
      const answer = await this.#client.request(address.href, { method: 'GET' });
      const chunks: Uint8Array[] = [];
      for await (const chunk of answer.bytes(maximumFileBytes)) chunks.push(chunk);
      const type = mediaTypeOf(file.kind, answer.mediaType);
      return elementOf(file, { base64: `data:${type};base64,${Buffer.concat(chunks).toString('base64')}` });
    } catch (error) {
      this.#client.signal.throwIfAborted();
      this.#logger.warn({ error }, 'failed to fetch a file of an answer of Dify, sending its URL instead');
      return elementOf(file, { url: address.href });
    }
  }
}

function fileIn(value: unknown): DifyFile | null {
  if (!isRecord(value)) return null;
  const address = textAt(value, 'url') || textAt(value, 'remote_url');
  const isFile = value.dify_model_identity === '__dify__file__' || value.event === 'message_file';
  if (!isFile || address === '' || address.length > 8192) return null;
  const kind = textAt(value, 'type') || textAt(value, 'mime_type').split('/', 1)[0] || '';
  return { kind, address, name: textAt(value, 'filename').slice(0, 255) };
}

function elementOf({ kind, name, address }: DifyFile, content: { url: string } | { base64: string }): MessageElement {
  if (kind === 'image') return { type: 'Image', ...content };
  if (kind === 'audio') return { type: 'Voice', ...content };
  const lastPart = URL.parse(address, 'http://localhost')?.pathname.split('/').at(-1) ?? '';
  return { type: 'File', name: name || lastPart || 'file', ...content };
}

function mediaTypeOf(kind: string, declared: string): string {
  if (/^[\w.+-]+\/[\w.+-]+$/.test(declared)) return declared;
  return kind === 'image' ? 'image/png' : 'application/octet-stream';
}
