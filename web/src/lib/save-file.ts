import { apiErrorOf } from '@parley/client';
import { serverAddress } from './server-address.ts';
import { session } from './session.ts';

/**
 * Fetches a file of the server and hands it to the browser to be saved. A plain link could not carry the credential.
 * @param path of the route, from `/api/v1` on
 * @throws ParleyApiError
 */
export async function saveFile(path: string, name: string): Promise<void> {
  const response = await fetch(serverAddress + path, {
    headers: { authorization: `Bearer ${session.token() ?? ''}` },
  });
  if (!response.ok) throw apiErrorOf(response, await response.json().catch(() => undefined));
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser takes what it needs at the click; the next turn is late enough.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
