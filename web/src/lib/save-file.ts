import { fetchFile } from './fetch-file.ts';

/**
 * Downloads a file of the server.
 * @param path of the route, from `/api/v1` on
 * @throws ParleyApiError
 */
export async function saveFile(path: string, name: string): Promise<void> {
  saveBlob(await fetchFile(path), name);
}

/** Downloads a text as a file. */
export function saveText(text: string, name: string): void {
  saveBlob(new Blob([text], { type: 'text/plain;charset=utf-8' }), name);
}

function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the URL at the click; revoking it in the next turn is safe.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
