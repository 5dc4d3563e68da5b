import { afterEach, expect, it } from 'vitest';
import { conversationKey, messageEvent } from '../../../test/stores/ledger-records.ts';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import type { Storage } from '../storage.ts';
import { openLedger } from './open-ledger.ts';

let storage: Storage | undefined;
afterEach(() => storage?.close());

it('takes more messages at once than there are connections, right after it was opened', async () => {
  storage = await openTestStorage('postgres');
  const ledger = await openLedger(storage);
  const conversations = Array.from({ length: 60 }, (_, index) => `person ${index}`);
  const receipts = await Promise.all(
    conversations.map((session_id) =>
      ledger.messages.accept(conversationKey({ session_id }), messageEvent(session_id)),
    ),
  );
  expect(receipts.map(({ outcome, sequence }) => `${outcome} ${sequence}`)).toEqual(
    conversations.map(() => 'accepted 1'),
  );
});
