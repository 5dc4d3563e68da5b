import { DeliveryError, ParleyError, type PlatformContext } from '@parley/sdk';
import { causesOf } from '../failures/network-failure.ts';

/** The content of a file on its way out, read again for each attempt. */
export interface OutgoingFile {
  content(): AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>;
  name: string;
  /** Bytes. */
  size: number;
  /** Empty if unknown. */
  mediaType: string;
}

/** Where the content of an element is; the first of them that is set counts. */
export interface FileSource {
  name?: string | null;
  base64?: string | null;
  path?: string | null;
  /** Fetched only if the service has nothing of the file itself. */
  url?: string | null;
}

export interface OutgoingFileContext extends Pick<PlatformContext, 'readMedia'> {
  /** Fetches files from addresses. Default: they count as absent. */
  fetchContent?: PlatformContext['fetchContent'];
}

export interface OutgoingFileOptions {
  /** Largest file that is fetched from an address, bytes. Default 30 MiB. */
  maximumBytes?: number;
  signal?: AbortSignal;
}

const largestFetched = 30 * 1024 * 1024;
/** Timeout of fetching a file, milliseconds. */
const fetchTimeout = 60_000;

/** How files without a name are named. */
const extensions: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
};

/**
 * Finds the content of a file.
 * @param kind names a file without a name, such as `photo`
 * @returns null when there is none
 * @throws ParleyError `unsupported_element` when there is no such file, it is too large, or the base64 is invalid;
 *   `address_not_allowed`; DeliveryError `not_sent` when its address does not answer now
 */
export async function outgoingFile(
  source: FileSource,
  kind: string,
  context: OutgoingFileContext,
  options: OutgoingFileOptions = {},
): Promise<OutgoingFile | null> {
  const file = await found(source, context, options);
  if (file === null) return null;
  const { name } = source;
  return { ...file, name: name || file.name || `${kind}.${extensions[file.mediaType] ?? 'bin'}` };
}

/**
 * As {@link outgoingFile}, for platforms that take contents only.
 * @param limit largest file the platform accepts, bytes, and its name
 * @throws also ParleyError `unsupported_element` when there is no content, or more than the platform accepts
 */
export async function requiredFile(
  source: FileSource,
  kind: string,
  context: OutgoingFileContext,
  { platform, ...options }: OutgoingFileOptions & { platform?: string } = {},
): Promise<OutgoingFile> {
  const file = await outgoingFile(source, kind, context, options);
  if (file === null) throw new ParleyError('unsupported_element', 'A file of the message has no content');
  const { maximumBytes } = options;
  if (maximumBytes !== undefined && file.size > maximumBytes) {
    const limit = `${Math.floor(maximumBytes / 1024 / 1024)} MB`;
    throw new ParleyError('unsupported_element', `A file is larger than the ${limit} that ${platform} accepts`);
  }
  return file;
}

/** The whole content of a file as a part of a form. */
export async function blobOf(file: OutgoingFile): Promise<Blob> {
  return new Blob([await bytesOf(file)], { type: file.mediaType || 'application/octet-stream' });
}

/** The whole content of a file. */
export async function bytesOf(file: OutgoingFile): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await file.content()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

type Found = Omit<OutgoingFile, 'name'> & { name: string | null };

async function found(
  { base64, path, url }: FileSource,
  context: OutgoingFileContext,
  options: OutgoingFileOptions,
): Promise<Found | null> {
  if (base64) return decoded(base64);
  if (path) return stored(path, context);
  return url && context.fetchContent ? fetched(url, context.fetchContent, options) : null;
}

/** @param base64 with or without `data:image/png;base64,` before it */
function decoded(base64: string): Found {
  const [, mediaType = ''] = /^data:([^;,]*)[^,]*,/.exec(base64.slice(0, 256)) ?? [];
  const text = base64.startsWith('data:') ? base64.slice(base64.indexOf(',') + 1) : base64;
  const content = Buffer.from(text, 'base64');
  if (content.length === 0 || /[^A-Za-z0-9+/=_\s-]/.test(text)) {
    throw new ParleyError('unsupported_element', 'The base64 of a file is not valid');
  }
  return inMemory(content, { name: null, mediaType });
}

function inMemory(content: Uint8Array, { name, mediaType }: Pick<Found, 'name' | 'mediaType'>): Found {
  const chunks = async function* () {
    yield content;
  };
  return { content: chunks, name, size: content.length, mediaType: mediaType.toLowerCase() };
}

async function fetched(
  url: string,
  fetchContent: PlatformContext['fetchContent'],
  { maximumBytes = largestFetched, signal }: OutgoingFileOptions,
): Promise<Found> {
  const timeout = AbortSignal.timeout(fetchTimeout);
  try {
    const response = await fetchContent(url, { signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
    if (response.status !== 200) {
      await response.body?.cancel();
      const text = `The address of a file answers with status ${response.status}`;
      if (response.status === 429 || response.status >= 500)
        throw new DeliveryError('not_sent', 'platform_failed', text);
      throw new ParleyError('unsupported_element', text);
    }
    const content = await bodyOf(response, maximumBytes);
    const [mediaType = ''] = (response.headers.get('content-type') ?? '').split(';');
    const name = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
    return inMemory(content, { name: decodedName(name), mediaType: mediaType.trim() });
  } catch (error) {
    const known = causesOf(error).find((cause) => cause instanceof ParleyError);
    if (known !== undefined) throw known;
    signal?.throwIfAborted();
    throw new DeliveryError('not_sent', 'platform_failed', 'The address of a file does not answer', { cause: error });
  }
}

async function bodyOf(response: Response, maximumBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maximumBytes) throw new ParleyError('unsupported_element', 'A file is too large for the platform');
    chunks.push(chunk);
  }
  if (size === 0) throw new ParleyError('unsupported_element', 'The address of a file gives no content');
  return Buffer.concat(chunks);
}

function decodedName(name: string): string | null {
  try {
    return decodeURIComponent(name) || null;
  } catch {
    return name;
  }
}

async function stored(path: string, context: OutgoingFileContext): Promise<Found> {
  const read = async () => {
    const media = await context.readMedia(path);
    if (media === null) throw new ParleyError('unsupported_element', 'A file of the message does not exist');
    return media;
  };
  const { name, size, media_type } = await read();
  return { content: async () => (await read()).content, name, size, mediaType: media_type };
}
