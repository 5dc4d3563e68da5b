import { StorageError } from '../../lib/storage-error.ts';

/** What an error of the SDK has, of a response or of a connection. */
interface SdkError {
  name?: unknown;
  code?: unknown;
  $metadata?: { httpStatusCode?: number };
}

/**
 * The error of a request to a bucket as a {@link StorageError}. The error of the SDK is no cause of it, since it holds the
 * access key and what was signed, and would be logged.
 * @param request what was requested, as in "a file could not be …"
 */
export function bucketError(request: string, error: unknown): StorageError {
  const { name, code, $metadata } = error as SdkError;
  const status = $metadata?.httpStatusCode;
  const reason = typeof code === 'string' ? code : String(name);
  // 507 is what MinIO answers when its disks are full.
  const detail = status === 507 ? 'disk_full' : 'files_unreachable';
  const answer = status === undefined ? '' : `, status ${status}`;
  return new StorageError(detail, `${request} (${reason}${answer})`, { code: reason });
}

/** Whether an error is that a bucket answered with one of these codes, such as `NoSuchKey`. */
export function isAnswer(error: unknown, ...codes: string[]): boolean {
  return error instanceof StorageError && codes.includes(String(error.code));
}

/** The error of a file that is not there, as a folder has it. */
export function missingFile(key: string): Error {
  return Object.assign(new Error(`ENOENT: no such file in the bucket, '${key}'`), { code: 'ENOENT' });
}
