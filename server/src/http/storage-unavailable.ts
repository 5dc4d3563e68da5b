import { ParleyError } from '@parley/sdk';
import type { FastifyInstance } from 'fastify';
import type { StorageError, StorageFault } from '../lib/storage-error.ts';

/** Messages for callers. The text of the engine may contain names and addresses, so it is only logged. */
const messages: Partial<Record<StorageFault, string>> = {
  disk_full: 'Nothing can be stored: the disk is full',
  read_only: 'Nothing can be stored: the database or its disk is read-only',
  io: 'Nothing can be stored: the disk reports errors',
  corrupt: 'The database is damaged; restore a backup',
  locked: 'Nothing can be stored: another process has locked the database',
  unreachable: 'The database cannot be reached',
  overloaded: 'The database has no connections or memory left',
  closed: 'The database is closed, since the server is stopping',
  not_owner: 'This process does not work at present: it does not reach the database, or another one works in its place',
  files_unreachable: 'The bucket of the files cannot be reached',
};

/** `Retry-After`, seconds. A damaged database needs an operator. */
const retryAfter = { defaults: 5, corrupt: 60 };

/** The response to a request that failed because of a storage error. */
export function storageUnavailable(error: StorageError): ParleyError {
  const message = messages[error.detail] ?? 'The database did not complete the operation; try again';
  const retryAfterSeconds = error.detail === 'corrupt' ? retryAfter.corrupt : retryAfter.defaults;
  return new ParleyError('storage_unavailable', message, { cause: error, retryAfterSeconds });
}

/** Rejects writing requests while nothing can be stored, before their bodies are read. */
export function refuseWrites(server: FastifyInstance, trouble: () => StorageError | null): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS';
    const error = isRead ? null : trouble();
    if (error === null) done();
    else done(storageUnavailable(error));
  });
}
