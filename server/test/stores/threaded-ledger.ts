import { Worker } from 'node:worker_threads';
import { vi } from 'vitest';
import type { LedgerOptions } from '../../src/storage/messages/ledger-tables.ts';
import { type Ledger, openThreadedLedger } from '../../src/storage/messages/open-ledger.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { conversationKey, messageEvent } from './ledger-records.ts';

/** The ledger as the service has it, which has stored a message, `first`. On SQLite its thread writes. */
export async function runningLedger(storage: Storage, options: LedgerOptions): Promise<Ledger> {
  const ledger = await openThreadedLedger(storage, options);
  await ledger.messages.accept(conversationKey(), messageEvent('first'));
  if (storage.engine === 'sqlite') await vi.waitUntil(() => isInThread(ledger), { timeout: 10_000 });
  return ledger;
}

/** Whether an operation is handed to a thread. */
async function isInThread(ledger: Ledger): Promise<boolean> {
  const posted = vi.spyOn(Worker.prototype, 'postMessage');
  await ledger.messages.claim({ except: [] }, 0);
  const isUsed = posted.mock.calls.length > 0;
  posted.mockRestore();
  return isUsed;
}
