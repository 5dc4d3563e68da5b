import { apiErrorOf } from '@parley/client';
import { consoleFetch } from './console-fetch.ts';
import { serverAddress } from './server-address.ts';

/**
 * Fetches a file of the server. Links and images of the page would not send the header of the session.
 * @param path of the route, from `/api/v1` on
 * @throws ParleyApiError
 */
export async function fetchFile(path: string): Promise<Blob> {
  const response = await consoleFetch(new Request(serverAddress + path));
  if (!response.ok) throw apiErrorOf(response, await response.json().catch(() => undefined));
  return response.blob();
}
