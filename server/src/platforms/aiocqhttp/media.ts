import { DeliveryError, ParleyError, type PlatformContext } from '@parley/sdk';
import { type Fields, fieldsOf, textOf } from './fields.ts';
import type { StoredReference } from './media-reference.ts';
import type { WireIds } from './wire-ids.ts';

export interface MediaOptions {
  context: Pick<PlatformContext, 'fetchContent'>;
  ids: WireIds;
  lookUp(action: string, params: Fields, signal: AbortSignal): Promise<unknown>;
}

type Content = AsyncIterable<Uint8Array>;

/**
 * Fetches a file of a stored message: from its address, which is valid for a limited time, or from the client. Voice
 * messages come from the client first, which converts them from the formats of QQ.
 * @param value a {@link StoredReference}
 * @throws ParleyError `not_found` or `address_not_allowed` when no client has it; any other error when a retry may succeed
 */
export async function fetchMedia(value: unknown, options: MediaOptions, signal: AbortSignal): Promise<Content> {
  const reference = value as StoredReference;
  const fromAddress = () => download(reference.url, reference, options, signal);
  const fromClient = () => askClient(reference, options, signal);
  const sources = reference.kind === 'record' ? [fromClient, fromAddress] : [fromAddress, fromClient];
  const failures: unknown[] = [];
  for (const source of sources) {
    try {
      const content = await source();
      if (content !== null) return content;
    } catch (error) {
      signal.throwIfAborted();
      failures.push(error);
    }
  }
  throw failures.find((error) => !isLasting(error)) ?? failures[0] ?? new ParleyError('not_found', 'The file is gone');
}

function isLasting(error: unknown): boolean {
  return error instanceof ParleyError && (error.reason === 'not_found' || error.reason === 'address_not_allowed');
}

/** Null when there is no address. */
async function download(
  url: string,
  { kind }: StoredReference,
  { context }: MediaOptions,
  signal: AbortSignal,
): Promise<Content | null> {
  if (!/^https?:\/\//i.test(url)) return null;
  const response = await context.fetchContent(url, { signal });
  const type = response.headers.get('content-type') ?? '';
  // QQ answers with a page where a file is not there any more.
  const isPage = kind !== 'file' && /^text\/html\b/i.test(type);
  if (response.status === 200 && !isPage && response.body !== null) return response.body;
  await response.body?.cancel();
  const text = `The address of a file answers with status ${response.status}${isPage ? ' and a page' : ''}`;
  if (response.status === 429 || response.status >= 500) throw new Error(text);
  throw new ParleyError('not_found', text);
}

/** Null when the client does not have it either. */
async function askClient(
  reference: StoredReference,
  options: MediaOptions,
  signal: AbortSignal,
): Promise<Content | null> {
  let failure: unknown = null;
  for (const [action, params] of actionsFor(reference, options.ids)) {
    const data = fieldsOf(await lookedUp(action, params, options, signal));
    const bytes = Buffer.from(textOf(data.base64).replace(/^base64:\/\//, ''), 'base64');
    if (bytes.length > 0) return contentOf(bytes);
    const url = [data.url, data.file].map(textOf).find((text) => /^https?:\/\//i.test(text)) ?? '';
    const content = await download(url, reference, options, signal).catch((error: unknown) => {
      if (!isLasting(error)) throw error;
      failure = error;
      return null;
    });
    if (content !== null) return content;
  }
  if (failure !== null) throw failure;
  return null;
}

function actionsFor({ kind, file, file_id, busid, group_id }: StoredReference, ids: WireIds): [string, Fields][] {
  const name = file || file_id;
  if (kind === 'image') return [['get_image', { file: name }]];
  if (kind === 'record') return [['get_record', { file: name, out_format: 'mp3' }]];
  if (kind === 'video') return [['get_file', { file: name }]];
  const address: [string, Fields] =
    group_id === null
      ? ['get_private_file_url', { file_id }]
      : ['get_group_file_url', { group_id: ids.account(group_id), file_id, busid: Number(busid) || 0 }];
  return [address, ['get_file', { file_id: file_id || file, file }]];
}

/** Undefined when the client refuses. */
async function lookedUp(
  action: string,
  params: Fields,
  { lookUp }: MediaOptions,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    return await lookUp(action, params, signal);
  } catch (error) {
    if (error instanceof DeliveryError && error.kind === 'refused') return undefined;
    throw error;
  }
}

async function* contentOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
