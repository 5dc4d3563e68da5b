import { apiErrorOf } from '@parley/client';
import { serverAddress } from './server-address.ts';
import { session } from './session.ts';

/**
 * Fetches a file of the server. A link or an image could not carry the credential.
 * @param path of the route, from `/api/v1` on
 * @throws ParleyApiError
 */
export async function fetchFile(path: string): Promise<Blob> {
  const response = await fetch(serverAddress + path, {
    headers: { authorization: `Bearer ${session.token() ?? ''}` },
  });
  if (!response.ok) throw apiErrorOf(response, await response.json().catch(() => undefined));
  return response.blob();
}
