import type { MessageEvent, MessageReceipt, ParleyError } from '@parley/sdk';
import { silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { builtInCommandService } from '../../../test/factories/built-in-command-service.ts';
import { localCancellations } from '../../../test/factories/local-cancellations.ts';
import { type LedgerFixture, openLedgerFixture, recordingPlatform } from '../../../test/stores/ledger-fixture.ts';
import { messageEvent } from '../../../test/stores/ledger-records.ts';
import { StorageError } from '../../lib/storage-error.ts';
import { AdapterStates } from '../bots/adapter-states.ts';
import { MessageIntake } from './message-intake.ts';
import type { Arrival, MessageLedger } from './message-ledger.ts';

let fixture: LedgerFixture;
let intake: MessageIntake;
/** The texts of each transaction, in order; those of a failed one start with an exclamation mark. */
let transactions: string[];
let woken: number;
let notified: string[];
/** Called with the texts of a transaction; the store throws its error. */
let refuse: (texts: readonly string[]) => void;
beforeEach(async () => {
  fixture = await openLedgerFixture(recordingPlatform());
  transactions = [];
  woken = 0;
  notified = [];
  refuse = () => undefined;
  const { ledger } = fixture;
  const counted = async <Result>(arrivals: readonly Arrival[], work: () => Promise<Result>): Promise<Result> => {
    const texts = arrivals.map(({ event }) => textOf(event));
    try {
      refuse(texts);
    } catch (error) {
      transactions.push(`!${texts}`);
      throw error;
    }
    transactions.push(String(texts));
    return work();
  };
  const counting: Pick<MessageLedger, 'accept' | 'acceptAll' | 'stopWaiting'> = {
    accept: (key, event) => counted([{ key, event }], () => ledger.messages.accept(key, event)),
    acceptAll: (arrivals) => counted(arrivals, () => ledger.messages.acceptAll(arrivals)),
    stopWaiting: (...parameters) => ledger.messages.stopWaiting(...parameters),
  };
  intake = new MessageIntake(counting, fixture.bots, {
    accepted: () => {
      woken += 1;
    },
    notifyWebhooks: ({ uuid }) => void notified.push(uuid),
    accountId: () => 'bot-1',
    takesCommands: () => true,
    commands: builtInCommandService(),
    conversations: ledger.conversations,
    cancellations: localCancellations(),
    replyContexts: { sealed: () => null },
    mediaFetch: { sealed: () => [] },
    states: new AdapterStates({} as never, {} as never),
    events: fixture.messageEvents,
    logger: silentLogger,
  });
});
afterEach(() => fixture.close());

const textOf = ({ message_chain: [first] }: MessageEvent) => (first as { text: string }).text;
/** Messages as `chat:text`. */
const events = (...messages: string[]) =>
  messages.map((message) => {
    const [chat = '', text = ''] = message.split(':');
    return messageEvent(text, { session_id: chat, sender_id: chat });
  });
const receiveAll = (...messages: string[]) => intake.receiveAll(fixture.botUuid, events(...messages));
const outcomes = (results: PromiseSettledResult<MessageReceipt>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? result.value.sequence : reasonOf(result.reason)));
const reasonOf = (error: Error) => (error as ParleyError).reason ?? error.message;
const stored = async () => {
  const rows = await fixture.storage.database.selectFrom('messages').selectAll().orderBy('position').execute();
  return rows.map(({ text, state, reason }) => `${text}: ${reason ?? state}`);
};

it('stores messages of many chats in one transaction and wakes the queue once', async () => {
  const results = await receiveAll('ann:a1', 'ben:b1', 'ann:a2', 'cat:c1');
  expect(outcomes(results)).toEqual([1, 1, 2, 1]);
  expect(transactions).toEqual(['a1,b1,a2,c1']);
  expect(woken).toBe(1);
  expect(await receiveAll()).toEqual([]);
});

it('stores each once, however often it arrives, and notifies webhooks once', async () => {
  await fixture.storage.database
    .insertInto('webhooks')
    .values({
      name: 'Hook',
      url: 'https://example.org',
      description: '',
      enabled: 1,
      sealed_secret: null,
      created_at: '',
      updated_at: '',
    } as never)
    .execute();
  const [one, two] = events('ann:one', 'ann:two') as [MessageEvent, MessageEvent];
  const results = await intake.receiveAll(fixture.botUuid, [one, two, one]);
  await intake.receiveAll(fixture.botUuid, [one, two]);
  expect(outcomes(results)).toEqual([1, 2, 1]);
  expect(notified).toHaveLength(2);
  expect(await stored()).toEqual(['one: received', 'two: received']);
  expect(woken).toBe(1);
});

it('stores the others when one cannot be stored, and nothing after it in its chat', async () => {
  refuse = (texts) => {
    if (texts.includes('bad')) throw new StorageError('constraint', 'no');
  };
  const results = await receiveAll('ann:a1', 'ben:b1', 'ann:bad', 'ben:b2', 'ann:a3');
  expect(outcomes(results)).toEqual([1, 1, 'no', 2, 'no']);
  expect(await stored()).toEqual(['a1: received', 'b1: received', 'b2: received']);
  expect(transactions).toEqual(['!a1,b1,bad,b2,a3', 'a1', 'b1', '!bad', 'b2']);
});

it('drops a message that the database refuses three times, so that its chat continues', async () => {
  refuse = (texts) => {
    if (texts.includes('bad')) throw new StorageError('invalid', 'no');
  };
  const batch = events('ann:bad', 'ann:a2');
  const receive = async () => outcomes(await intake.receiveAll(fixture.botUuid, batch));
  expect(await receive()).toEqual(['no', 'no']);
  expect(await receive()).toEqual(['no', 'no']);
  expect(await receive()).toEqual(['invalid_request', 'invalid_request']);
  expect(outcomes(await intake.receiveAll(fixture.botUuid, batch.slice(1)))).toEqual([1]);
  expect(await stored()).toEqual(['a2: received']);
});

it('does not count an outage of the store as a refusal', async () => {
  const [event] = events('ann:a1') as [MessageEvent];
  for (let time = 0; time < 5; time += 1) {
    refuse = () => {
      throw new StorageError('disk_full', 'full');
    };
    expect(outcomes(await intake.receiveAll(fixture.botUuid, [event]))).toEqual(['full']);
  }
  refuse = () => undefined;
  expect(outcomes(await intake.receiveAll(fixture.botUuid, [event]))).toEqual([1]);
});

it('does not try each alone during an outage of the store', async () => {
  refuse = () => {
    throw new StorageError('unreachable', 'away');
  };
  expect(outcomes(await receiveAll('ann:a1', 'ben:b1', 'cat:c1'))).toEqual(['away', 'away', 'away']);
  expect(transactions).toHaveLength(1);
  refuse = (texts) => {
    throw texts.length > 1 ? new StorageError('constraint', 'no') : new StorageError('unreachable', 'away');
  };
  expect(outcomes(await receiveAll('ann:a1', 'ben:b1', 'cat:c1'))).toEqual(['away', 'away', 'away']);
  expect(transactions).toHaveLength(3);
});

it('has a command take effect before what follows it in its chat, and no other chat wait for that', async () => {
  const results = await receiveAll('ann:one', 'ben:b1', 'ann:two', 'ann:!reset', 'ann:three', 'ben:b2', 'ann:!cancel');
  expect(outcomes(results)).toEqual([1, 1, 2, 3, 1, 2, 2]);
  expect(transactions).toEqual(['one,b1,two,b2', '!reset', 'three', '!cancel']);
  expect(await stored()).toEqual([
    'one: reset',
    'b1: received',
    'two: reset',
    'b2: received',
    '!reset: received',
    'three: cancelled',
    '!cancel: received',
  ]);
});

it('stores nothing after a command that cannot be stored', async () => {
  refuse = (texts) => {
    if (texts.includes('!reset')) throw new Error('no');
  };
  expect(outcomes(await receiveAll('ann:one', 'ann:!reset', 'ann:two', 'ben:b1'))).toEqual([1, 'no', 'no', 1]);
});

it('refuses all of them for a bot that takes none', async () => {
  intake.close();
  expect(outcomes(await receiveAll('ann:one', 'ben:two'))).toEqual(['not_ready', 'not_ready']);
  expect(transactions).toEqual([]);
});
