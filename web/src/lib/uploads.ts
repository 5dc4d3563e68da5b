import { apiErrorOf, type components, ParleyApiError, type paths } from '@parley/client';
import { consoleHeaders, repeatAfterSignIn } from './console-fetch.ts';
import { serverAddress } from './server-address.ts';

interface UploadOptions {
  /** Called with the progress, from 0 to 1. */
  progress: (part: number) => void;
  signal: AbortSignal;
}

/** A route, perhaps with a query. */
type UploadPath = keyof paths | `${keyof paths}?${string}`;

/** A file that a message may name. */
export interface UploadedAttachment {
  file_key: string;
  name: string;
  /** Bytes. */
  size: number;
  is_image: boolean;
}

/**
 * Uploads a document.
 * @returns the `file_id` to attach it by
 * @throws ParleyApiError
 */
export async function uploadDocument(file: File, options: UploadOptions): Promise<string> {
  const { file_id } = await upload<{ file_id: string }>('/api/v1/files/documents', file, options);
  return file_id;
}

/** Uploads a file for a message. @throws ParleyApiError */
export async function uploadAttachment(file: File, options: UploadOptions): Promise<UploadedAttachment> {
  const { attachment } = await upload<{ attachment: UploadedAttachment }>('/api/v1/files/attachments', file, options);
  return attachment;
}

export type PackageInspection = components['schemas']['PackageInspection'];

/** Has the package of a plugin checked and described. @throws ParleyApiError */
export async function inspectPackage(file: File, options: UploadOptions): Promise<PackageInspection> {
  const { package: inspected } = await upload<{ package: PackageInspection }>('/api/v1/plugins/inspect', file, options);
  return inspected;
}

/**
 * Starts the installation of a plugin.
 * @param choice query parameters
 * @returns the id of its task
 * @throws ParleyApiError
 */
export async function installPackage(
  file: File,
  choice: Readonly<Record<string, string>>,
  options: UploadOptions,
): Promise<number> {
  const query = `?${new URLSearchParams(choice)}` as const;
  const { task_id } = await upload<{ task_id: number }>(`/api/v1/plugins/install/local${query}`, file, options);
  return task_id;
}

/** When the session has ended, the file is uploaded again once the user has signed in again. */
async function upload<Data>(path: UploadPath, file: File, options: UploadOptions): Promise<Data> {
  const { status, body } = await repeatAfterSignIn(() => send(path, file, options));
  if (status !== 200) throw apiErrorOf(new Response(null, { status }), body);
  return (body as { data: Data }).data;
}

/** `fetch` reports no upload progress, so this request does not use it. */
function send(
  path: UploadPath,
  file: File,
  { progress, signal }: UploadOptions,
): Promise<{ status: number; body: unknown }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: unknown }>();
  const ended = () => reject(new DOMException('The upload was ended', 'AbortError'));
  if (signal.aborted) {
    ended();
    return promise;
  }
  const request = new XMLHttpRequest();
  request.open('POST', serverAddress + path);
  for (const [name, value] of Object.entries(consoleHeaders)) request.setRequestHeader(name, value);
  request.responseType = 'json';
  request.upload.onprogress = ({ loaded, total }) => progress(total === 0 ? 0 : loaded / total);
  request.onload = () => resolve({ status: request.status, body: request.response });
  request.onerror = () =>
    reject(new ParleyApiError('The server cannot be reached.', { status: 0, reason: 'unreachable' }));
  request.onabort = ended;
  signal.addEventListener('abort', () => request.abort(), { once: true });
  const form = new FormData();
  form.set('file', file);
  request.send(form);
  return promise;
}
