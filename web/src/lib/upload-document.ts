import { apiErrorOf, ParleyApiError } from '@parley/client';
import { consoleHeaders } from './console-fetch.ts';
import { serverAddress } from './server-address.ts';

interface UploadOptions {
  /** Called with the progress, from 0 to 1. */
  progress: (part: number) => void;
  signal: AbortSignal;
}

/**
 * Uploads a document. `fetch` reports no upload progress, so this request does not use it.
 * @returns the `file_id` to attach it by
 * @throws ParleyApiError
 */
export function uploadDocument(file: File, { progress, signal }: UploadOptions): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const request = new XMLHttpRequest();
  request.open('POST', `${serverAddress}/api/v1/files/documents`);
  for (const [name, value] of Object.entries(consoleHeaders)) request.setRequestHeader(name, value);
  request.responseType = 'json';
  request.upload.onprogress = ({ loaded, total }) => progress(total === 0 ? 0 : loaded / total);
  request.onload = () => {
    if (request.status === 200) resolve((request.response as { data: { file_id: string } }).data.file_id);
    else reject(apiErrorOf(new Response(null, { status: request.status }), request.response));
  };
  request.onerror = () =>
    reject(new ParleyApiError('The server cannot be reached.', { status: 0, reason: 'unreachable' }));
  request.onabort = () => reject(new DOMException('The upload was ended', 'AbortError'));
  signal.addEventListener('abort', () => request.abort(), { once: true });
  const form = new FormData();
  form.set('file', file);
  request.send(form);
  return promise;
}
