import { StorageError } from '../lib/storage-error.ts';
import { newUuid } from '../lib/uuid.ts';

/** The right of this process, and of no other, to work on the messages of the database. */
export interface Ownership {
  /** Names this start of the service, a uuid. Claims of messages carry it. */
  readonly owner: string;
  /** False while the lock is lost: nothing may be claimed or sent. */
  readonly isHeld: boolean;
  /**
   * Call before each send.
   * @throws StorageError `not_owner` while the lock is lost
   */
  assertOwned(): void;
  /**
   * Calls a listener when the lock is lost; it is being taken again.
   * @param listener receives the cause: the connection ended, or the server does not answer on it
   */
  onLost(listener: (why: 'ended' | 'silent') => void): void;
  /** Calls a listener when the lock is held again without another owner in between. */
  onRegained(listener: () => void): void;
  /** Calls a listener when another process has taken the database over. This process has to stop. */
  onTaken(listener: (error: Error) => void): void;
}

/** Message for the operator when another process has taken the database over. */
export const takenMessage =
  'Another Parley process has taken the database over while the connection to it was lost, so this one stops';

/** For SQLite, where the data directory is locked for the lifetime of the process. */
export class SoleOwnership implements Ownership {
  readonly owner = newUuid();
  readonly isHeld = true;
  assertOwned(): void {}
  onLost(): void {}
  onRegained(): void {}
  onTaken(): void {}
}

export function notOwnerError(message = 'The lock on the database is lost'): StorageError {
  return new StorageError('not_owner', message);
}
