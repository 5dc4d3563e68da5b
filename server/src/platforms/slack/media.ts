import { ParleyError, type PlatformContext } from '@parley/sdk';
import { fieldsOf, textOf } from './parse-event.ts';
import type { SlackApi } from './slack-api.ts';

/**
 * Fetches a file of a stored message with the token of the bot, which only addresses of Slack get.
 * @param value of a media reference of `parseEvent`
 * @throws ParleyError `not_found`, `address_not_allowed`; any other error when a retry may succeed
 */
export async function fetchMedia(
  value: unknown,
  { api, fetch }: { api: SlackApi; fetch: PlatformContext['fetch'] },
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const { url: address, isPageExpected } = fieldsOf(value);
  const url = textOf(address);
  if (url === '') throw new ParleyError('not_found', 'Slack gives no address for this file');
  const headers = api.headersFor(url);
  if (headers === null) throw new ParleyError('address_not_allowed', 'The file is not at an address of Slack');
  const response = await fetch(url, { headers, signal, redirect: 'error' });
  const isPage = /^text\/html\b/i.test(response.headers.get('content-type') ?? '') && isPageExpected !== true;
  if (response.status === 200 && !isPage && response.body !== null) return response.body;
  await response.body?.cancel();
  if (isPage) throw new ParleyError('not_found', 'Slack shows a log-in page: the app lacks the permission files:read');
  const text = `The address of a file answers with status ${response.status}`;
  if (response.status === 429 || response.status >= 500) throw new Error(text);
  throw new ParleyError('not_found', text);
}
