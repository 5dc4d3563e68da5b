import { ParleyError, type PlatformContext } from '@parley/sdk';
import { decryptedFile } from '../../kit/wechat-file.ts';
import type { StoredFile } from './parse.ts';

export interface MediaOptions {
  context: Pick<PlatformContext, 'fetch' | 'fetchContent'>;
  /** Origins of the platform that the configuration names, where they are in a private network. */
  address: string;
  /** Key of files that come without one: that of the webhook. */
  key: string;
  signal: AbortSignal;
}

/**
 * Fetches a file of a stored message and decrypts it. Its address is in the message, so it has to be public unless the
 * configuration names its host.
 * @param value a {@link StoredFile}
 * @throws ParleyError `not_found`, `address_not_allowed`; any other error when a retry may succeed
 */
export async function fetchMedia(
  value: unknown,
  { context, address, key, signal }: MediaOptions,
): Promise<AsyncIterable<Uint8Array>> {
  const { url, key: own } = value as StoredFile;
  if (!/^https?:\/\//i.test(url)) throw new ParleyError('not_found', 'The file has no address');
  const isOfPlatform = originOf(url) === originOf(address);
  const response = await (isOfPlatform ? context.fetch : context.fetchContent)(url, { signal, redirect: 'error' });
  const isPage = /^text\/html\b/i.test(response.headers.get('content-type') ?? '');
  if (response.status === 200 && !isPage && response.body !== null) return decryptedFile(response.body, own || key);
  await response.body?.cancel();
  const text = `The address of a file answers with status ${response.status}${isPage ? ' and a page' : ''}`;
  if (response.status === 429 || response.status >= 500) throw new Error(text);
  // It is valid for 5 minutes.
  throw new ParleyError('not_found', text);
}

/** Websockets have the origin of the pages. */
function originOf(address: string): string | undefined {
  return URL.parse(address.trim().replace(/^ws/i, 'http'))?.origin;
}
