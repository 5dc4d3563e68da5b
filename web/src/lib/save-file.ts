import { fetchFile } from './fetch-file.ts';

/**
 * Downloads a file of the server.
 * @param path of the route, from `/api/v1` on
 * @throws ParleyApiError
 */
export async function saveFile(path: string, name: string): Promise<void> {
  const address = URL.createObjectURL(await fetchFile(path));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the URL at the click; revoking it in the next turn is safe.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
