import type { MessageChain } from '@parley/sdk';
import type { Transaction } from 'kysely';
import { fileKeysIn } from '../../core/files/file-keys.ts';
import type { Tables } from '../database.ts';

/** Keeps the files that were uploaded for a message, in the transaction that stores it. */
export async function keepFiles(transaction: Transaction<Tables>, chain: MessageChain): Promise<void> {
  const keys = fileKeysIn(chain);
  if (keys.length === 0) return;
  await transaction
    .updateTable('files')
    .set({ purpose: 'media' })
    .where('access_key', 'in', keys)
    .where('purpose', '=', 'unsent')
    .execute();
}

export function hasFiles(chain: MessageChain): boolean {
  return fileKeysIn(chain).length > 0;
}
