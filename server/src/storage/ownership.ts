import { StorageError } from '../lib/storage-error.ts';

/** This process may not work at present, or others have taken over what it writes about. */
export function notOwnerError(message = 'This process may not work at present'): StorageError {
  return new StorageError('not_owner', message);
}
