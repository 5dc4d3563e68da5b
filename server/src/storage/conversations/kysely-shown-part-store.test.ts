import { beforeEach, expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey } from '../../../test/stores/ledger-records.ts';
import { answerOf, ledgerSteps, noRecord, partOf, sent } from '../../../test/stores/ledger-steps.ts';
import { KyselyShownPartStore } from './kysely-shown-part-store.ts';

const bot = conversationKey().bot_uuid;
const { bot_uuid: _, ...place } = conversationKey();
const marks = { connection_id: 'c-1', is_failure: false, is_stopped: true };
const long = '2020-01-01T00:00:00.000Z';

describeOnEachEngine('messages as sockets get them', (storage) => {
  const { ledger, accept, claimed } = ledgerSteps(storage);
  let parts: KyselyShownPartStore;
  beforeEach(() => {
    parts = new KyselyShownPartStore(storage().database);
  });

  /** A question with a complete answer of two parts, of which the first is being sent. */
  const answerInParts = async () => {
    await accept('one', 'ada', { facts: { replaces: 'm-0' }, platform_message_id: 'p-1' });
    const question = await claimed();
    const { message } = await ledger().deliveries.finishAnswer(question, answerOf(['a', 'b']), noRecord, {
      begins: true,
      expires_at: null,
    });
    return { question, answer: message };
  };

  it('are read by their ids, with the marks that they were told with', async () => {
    const { question, answer } = await answerInParts();
    const read = await parts.read([
      { uuid: question.uuid, piece: 0, ...marks },
      { uuid: answer.uuid, piece: 1, ...marks },
      { uuid: answer.uuid, piece: 2, ...marks },
      { uuid: 'gone', piece: 0, ...marks },
    ]);
    expect(read.map(({ part }) => part.uuid).toSorted()).toEqual([question.uuid, answer.uuid].toSorted());
    for (const { place: found } of read) expect(found).toEqual(place);
    const [inbound, outbound] = ['inbound', 'outbound'].map((way) => read.find(({ part }) => part.direction === way));
    expect(inbound?.part).toMatchObject({ ...marks, sequence: 1, replaces: 'm-0', platform_message_id: 'p-1' });
    expect(outbound?.part).toMatchObject({
      piece: 1,
      sequence: 2,
      replaces: null,
      is_stopped: true,
      message_chain: [{ type: 'Plain', text: 'b' }],
    });
  });

  it('are found since a time, once their delivery has begun, in their conversations', async () => {
    const { question, answer } = await answerInParts();
    await accept('of another user', 'bob');
    const found = async (since: string, places = [place]) =>
      (await parts.since(bot, places, since)).map(({ part }) => `${part.uuid} ${part.piece}`);
    expect(await found(long)).toEqual([`${question.uuid} 0`, `${answer.uuid} 0`]);
    await ledger().deliveries.settleDelivery(partOf(answer.uuid, 0, question), sent, true);
    expect(await found(long)).toEqual([`${question.uuid} 0`, `${answer.uuid} 0`, `${answer.uuid} 1`]);
    expect(await found('9999')).toEqual([]);
    expect(await found(long, [{ ...place, session_id: 'bob' }])).toHaveLength(1);
    expect(await found(long, [place, { ...place, session_id: 'bob' }])).toHaveLength(4);
    expect(await found(long, [{ ...place, thread_id: 'other' }])).toEqual([]);
    await ledger().conversations.endCurrent(conversationKey());
    expect(await found(long)).toEqual([]);
  });
});
