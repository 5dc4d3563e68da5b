import { fetchFile } from './fetch-file.ts';

/**
 * Fetches a file of the server and hands it to the browser to be saved.
 * @param path of the route, from `/api/v1` on
 * @throws ParleyApiError
 */
export async function saveFile(path: string, name: string): Promise<void> {
  const address = URL.createObjectURL(await fetchFile(path));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser takes what it needs at the click; the next turn is late enough.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
