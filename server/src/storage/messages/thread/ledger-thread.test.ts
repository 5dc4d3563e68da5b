import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { Reason } from '@parley/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { conversationKey, messageEvent } from '../../../../test/stores/ledger-records.ts';
import { openTestStorage } from '../../../../test/stores/open-test-storage.ts';
import { runningLedger } from '../../../../test/stores/threaded-ledger.ts';
import type { SqliteKysely } from '../../sqlite-database.ts';
import type { Storage } from '../../storage.ts';
import { storageWork } from '../../storage-work.ts';
import type { Ledger } from '../open-ledger.ts';

describe('the ledger in a thread', () => {
  let storage: Storage;
  let ledger: Ledger;
  let mayTellWebhooks: boolean;
  let closing: Promise<void> | null = null;

  beforeEach(async () => {
    mayTellWebhooks = false;
    storage = await openTestStorage('sqlite');
    const options = { webhookWaitMs: 1000, mayTellWebhooks: () => mayTellWebhooks };
    ledger = await runningLedger(storage, options);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await (closing ?? storage.close());
    closing = null;
  });

  const receive = (text: string, person = 'ada') =>
    ledger.messages.accept(conversationKey({ session_id: person }), messageEvent(text));
  const stored = async () =>
    (await storage.database.selectFrom('messages').select('text').orderBy('position').execute()).map(
      ({ text }) => text,
    );
  const outcomes = async (work: Promise<unknown>[]) =>
    (await Promise.allSettled(work)).map((one) => (one.status === 'fulfilled' ? 'stored' : one.reason));

  it('stores what is asked for at the same time in one transaction, in order', async () => {
    const commits: number[] = [];
    const note = (work: unknown) => void commits.push((work as { members: number }).members);
    storageWork.commit.subscribe(note);
    storageWork.statement.subscribe(note);
    const receipts = await Promise.all(['a', 'b', 'c'].map((text) => receive(text)));
    storageWork.commit.unsubscribe(note);
    storageWork.statement.unsubscribe(note);
    expect(receipts.map(({ sequence }) => sequence)).toEqual([2, 3, 4]);
    expect(commits.filter((members) => members !== undefined)).toEqual([3]);
    expect(await stored()).toEqual(['first', 'a', 'b', 'c']);
  });

  it('fails an operation alone that cannot be carried out', async () => {
    const nowhere = { until: 'never', reason: 'rate_limited' as Reason };
    const work = [
      receive('before'),
      ledger.messages.release({ uuid: 'no uuid', claim: 1 }, nowhere),
      ledger.deliveries.beginDelivery({ answer_uuid: 'no answer', piece: 0, claim: { uuid: 'no uuid', claim: 1 } }),
      receive('after'),
    ];
    expect(await outcomes(work)).toEqual([
      'stored',
      expect.objectContaining({ message: 'A message cannot wait until never' }),
      expect.objectContaining({ name: 'StorageError', detail: 'not_owner' }),
      'stored',
    ]);
    expect(await stored()).toEqual(['first', 'before', 'after']);
  });

  it('gives the errors of the storage with their details', async () => {
    const [message] = await ledger.messages.claim({ except: [] }, 1);
    const answer = {
      pieces: [],
      text: '',
      state: 'finished',
      outcome: { state: 'answered', reason: 'answered' },
    } as const;
    const record = { trace: { attempt: 1, steps: [] }, model_calls: [] };
    await storage.database.updateTable('messages').set({ claimed_by: 'another' }).execute();
    const lost = ledger.deliveries.finishAnswer(
      message as never,
      { ...answer, pieces: [], merged: [] },
      record as never,
    );
    expect(await outcomes([lost, receive('beside')])).toEqual([
      expect.objectContaining({ name: 'StorageError', detail: 'not_owner' }),
      'stored',
    ]);
    expect(storage.health.trouble).toBeNull();
    await storage.database.schema.dropTable('message_contexts').execute();
    const context = { ...messageEvent('with context'), context: [] as never };
    const refused = ledger.messages.accept(conversationKey({ session_id: 'bob' }), context);
    await expect(refused).rejects.toMatchObject({ name: 'StorageError', kind: 'other' });
    expect(await stored()).toEqual(['first', 'beside']);
  });

  it('waits for another process that has locked the file', async () => {
    const other = new DatabaseSync((storage.database as SqliteKysely).file);
    other.exec('begin immediate');
    const posted = vi.spyOn(Worker.prototype, 'postMessage');
    const waiting = receive('later');
    const answered = vi.fn();
    void waiting.then(answered);
    await vi.waitUntil(() => posted.mock.calls.length > 1, { timeout: 10_000 });
    expect(answered).not.toHaveBeenCalled();
    other.exec('commit');
    await waiting;
    other.close();
    expect(await stored()).toEqual(['first', 'later']);
  });

  it('takes turns with what is written elsewhere', async () => {
    const writes = Array.from({ length: 30 }, async (_, index) => {
      const key = `key ${index}`;
      if (index % 3 > 0) return receive(key, `person ${index}`);
      return storage.database.transaction().execute(async (transaction) => {
        await transaction.insertInto('metadata').values({ key, value: 'there' }).execute();
        await null;
        await transaction.updateTable('metadata').set({ value: 'written' }).where('key', '=', key).execute();
      });
    });
    await Promise.all(writes);
    expect((await stored()).length).toBe(21);
    const values = await storage.database
      .selectFrom('metadata')
      .select('value')
      .where('key', 'like', 'key %')
      .execute();
    expect(values).toEqual(Array.from({ length: 10 }, () => ({ value: 'written' })));
  });

  it('sees at once whether webhooks receive messages', async () => {
    const webhook = {
      name: 'w',
      url: 'http://127.0.0.1/',
      description: '',
      enabled: 1,
      created_at: '',
      updated_at: '',
    };
    await storage.database.insertInto('webhooks').values(webhook).execute();
    expect(await receive('without')).not.toHaveProperty('webhook_wait_until');
    mayTellWebhooks = true;
    expect(await receive('with')).toMatchObject({ webhook_wait_until: expect.any(String) });
  });

  it('reports that the thread has ended, and stores nothing more', async () => {
    vi.spyOn(Worker.prototype, 'postMessage').mockImplementationOnce(function (this: Worker) {
      void this.terminate();
    });
    const [first, second] = await outcomes([receive('lost'), receive('lost as well')]);
    expect(first).toMatchObject({ name: 'StorageError', detail: 'closed' });
    expect(second).toMatchObject({ name: 'StorageError', detail: 'closed' });
    expect((await ledger.failure).message).toContain('thread');
    await expect(receive('later')).rejects.toMatchObject({ name: 'StorageError', detail: 'closed' });
    expect(await stored()).toEqual(['first']);
  });

  it('refuses messages while too much waits to be stored, and nothing else', async () => {
    const [claimed] = await ledger.messages.claim({ except: [] }, 1);
    const large = 'x'.repeat(30_000_000);
    const work = [receive(large, 'bob'), receive(large, 'eve'), receive(large, 'ian')];
    const released = ledger.messages.release(claimed ?? { uuid: '', claim: 0 }, null);
    const results = await outcomes([...work, released]);
    expect(results).toEqual([
      'stored',
      'stored',
      expect.objectContaining({ name: 'StorageError', detail: 'overloaded' }),
      'stored',
    ]);
    expect(await outcomes([receive('later', 'ian')])).toEqual(['stored']);
  });

  it('stores what was asked for before it closes', async () => {
    const work = Array.from({ length: 600 }, (_, index) => receive(`message ${index}`, `person ${index}`));
    closing = storage.close();
    expect(await outcomes(work)).toEqual(work.map(() => 'stored'));
    await closing;
    await expect(receive('too late')).rejects.toMatchObject({ detail: 'closed' });
  });
});
