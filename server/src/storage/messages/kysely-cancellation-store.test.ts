import { silentLogger } from '@parley/sdk/testing';
import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { ledgerSteps } from '../../../test/stores/ledger-steps.ts';
import { Cancellations } from '../../core/messages/cancellations.ts';
import { RunningAnswers } from '../../core/messages/running-answers.ts';
import type { CancelledAnswer } from '../../core/replicas/due-work.ts';
import { secondsFromNow } from '../../lib/clock.ts';
import { forgetCancellations, KyselyCancellationStore } from './kysely-cancellation-store.ts';

describeOnEachEngine('cancellations of answers', (storage) => {
  const { accept, claimed, end } = ledgerSteps(storage);
  const elsewhere = () => new KyselyCancellationStore(storage().database, { id: 'another replica' });
  const rows = () =>
    storage().database.selectFrom('answer_cancellations').select(['before_sequence', 'reason']).execute();

  it('name the replica that writes the answer, and stay until it has ended', async () => {
    await accept('hello');
    const message = await claimed();
    const { conversation_uuid: conversation, sequence } = message;
    const before = sequence + 3;
    const cancelled = { conversation, before, reason: 'reset' as const };
    expect(await elsewhere().request(conversation, { before, reason: 'reset' })).toEqual({
      ...cancelled,
      replica: storage().replica.id,
    });
    // An earlier end does not replace a later one.
    await elsewhere().request(conversation, { before: sequence + 1, reason: 'cancelled' });
    expect(await rows()).toEqual([{ before_sequence: before, reason: 'reset' }]);
    await elsewhere().forget({ conversation, before: sequence + 1 });
    expect(await rows()).toHaveLength(1);
    await elsewhere().forget(cancelled);
    expect(await rows()).toEqual([]);
    await end(message);
  });

  it('are not needed where the answer is written, has ended, or is to a later message', async () => {
    await accept('hello');
    const message = await claimed();
    const { conversation_uuid: conversation, sequence } = message;
    const here = new KyselyCancellationStore(storage().database, storage().replica);
    const request = { before: sequence + 1, reason: 'cancelled' as const };
    expect(await here.request(conversation, request)).toBeNull();
    expect(await elsewhere().request(conversation, { ...request, before: sequence })).toBeNull();
    await end(message);
    expect(await elsewhere().request(conversation, request)).toBeNull();
    expect(await rows()).toEqual([]);
  });

  it('of one sender reach only the answer to that one', async () => {
    await accept('hello');
    const { conversation_uuid: conversation, sequence, sender_id } = await claimed();
    const request = { before: sequence + 9, reason: 'cancelled' as const };
    expect(await elsewhere().request(conversation, { ...request, sender_id: 'another user' })).toBeNull();
    expect(await elsewhere().request(conversation, { ...request, sender_id })).toMatchObject({ before: sequence + 1 });
  });

  it('abort the answer at the replica that writes it, which removes them', async () => {
    await accept('hello');
    const message = await claimed();
    const { conversation_uuid: conversation, sequence } = message;
    const writing = new RunningAnswers();
    const logger = silentLogger;
    const claimant = new Cancellations(writing, {
      store: new KyselyCancellationStore(storage().database, storage().replica),
      tell: () => undefined,
      logger,
    });
    const told: [string, CancelledAnswer][] = [];
    const other = new Cancellations(new RunningAnswers(), {
      store: elsewhere(),
      tell: (replica, cancelled) => void told.push([replica, cancelled]),
      logger,
    });
    const answer = writing.run(message, (cancelled) => {
      const aborted = Promise.withResolvers<string>();
      cancelled.addEventListener('abort', () => aborted.resolve((cancelled.reason as Error).message));
      return aborted.promise;
    });
    await other.cancelElsewhere(conversation, sequence + 1, 'reset');
    expect(told).toEqual([[storage().replica.id, { conversation, before: sequence + 1, reason: 'reset' }]]);
    for (const [, cancelled] of [...told, ...told]) claimant.apply(cancelled);
    expect(await answer).toBe('The conversation was reset');
    await expect.poll(rows).toEqual([]);
  });

  it('are forgotten after a day when the end of their answer was not seen', async () => {
    const { database } = storage();
    for (const person of ['first', 'second', 'third']) await accept('hello', person);
    const conversations = await database.selectFrom('conversations').select('uuid').limit(3).execute();
    const [first, second, third] = conversations.map(({ uuid }) => uuid) as [string, string, string];
    const request = async (conversation_uuid: string, seconds: number) => {
      const requested_at = secondsFromNow(seconds);
      const values = { conversation_uuid, before_sequence: 1, reason: 'reset', requested_at };
      await database.insertInto('answer_cancellations').values(values).execute();
    };
    await request(first, -90_000);
    await request(second, -90_000);
    await request(third, -80_000);
    expect(await forgetCancellations(database, 1)).toBe(1);
    expect(await forgetCancellations(database, 10)).toBe(1);
    const left = await database.selectFrom('answer_cancellations').select('conversation_uuid').execute();
    expect(left).toEqual([{ conversation_uuid: third }]);
    await database.deleteFrom('answer_cancellations').execute();
  });
});
