import { DeliveryError, type MessageChain, type RunnerDelta, type Stage } from '@parley/sdk';
import { silentLogger } from '@parley/sdk/testing';
import { afterEach, expect, it } from 'vitest';
import { heldHere } from '../../../test/factories/held-here.ts';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { recordingPlatform } from '../../../test/stores/ledger-fixture.ts';
import { conversationKey, plain } from '../../../test/stores/ledger-records.ts';
import { partOf } from '../../../test/stores/ledger-steps.ts';
import { openProcessorFixture, type ProcessorFixture, processed } from '../../../test/stores/processor-fixture.ts';
import { DeliveryRetry } from './delivery-retry.ts';
import { LateFailures } from './late-failures.ts';
import { MessageSender } from './message-sender.ts';

const left = new DeliveryError('unknown', 'unknown_target', 'The user left');
const says: RunnerDelta[] = [{ type: 'text', text: 'one two' }];
const words: Stage = {
  name: 'words',
  label: { en_US: 'Words' },
  answer: () => ({
    finish: ([chain = []]) => ({
      messages: chain.flatMap((element) =>
        element.type === 'Plain' ? element.text.split(' ').map((text): MessageChain => [{ type: 'Plain', text }]) : [],
      ),
    }),
  }),
};

let used: ProcessorFixture;
afterEach(() => used.close());

/** A platform that gives each message a number. */
const open = async (stages: Stage[] = [], sending: (id: string) => Promise<void> = async () => undefined) => {
  const platform = recordingPlatform({ streams: {} });
  const { create } = platform.implementation;
  platform.implementation.create = (config, context) => {
    const adapter = create(config, context);
    return {
      ...adapter,
      send: async (message, progress) => {
        await adapter.send(message, progress);
        const platform_message_id = `${platform.sent.length}`;
        await sending(platform_message_id);
        return { platform_message_id };
      },
    };
  };
  used = await openProcessorFixture({ says, platform, stages });
};
const lateFailures = (warned: string[] = []) =>
  new LateFailures(used.ledger.deliveries, {
    bots: used.runtime,
    events: used.messageEvents,
    logger: { ...silentLogger, warn: (_, text) => void warned.push(text ?? '') },
  });
const retry = (uuid: string) => {
  const { runtime, botService: bots, holds, messageEvents: events } = used;
  const options = { runtime, bots, holds, events, assertOwned: () => undefined, logger: silentLogger };
  const sender = new MessageSender(used.ledger.deliveries, {
    holders: heldHere,
    ...options,
    storeMedia: () => Promise.reject(),
  });
  const work = { bots: runtime, holders: heldHere, sender, events, expiryMs: 60_000, queued: () => undefined };
  return new DeliveryRetry(used.ledger.deliveries, work).retry(uuid, 0, { kind: 'user', id: 'account' });
};

it('are published, shown to the operator, and can be retried', async () => {
  await open();
  const { question } = await processed(used);
  expect(question).toMatchObject({ state: 'answered' });
  used.published.length = 0;
  await lateFailures().report(used.botUuid, '1', left);
  expect(used.published).toEqual(['outbound failed unknown_target', 'inbound failed unknown_target']);
  expect(used.events.at(-1)?.[1]).toMatchObject({
    level: 'error',
    text: 'A message was not delivered: The user left',
    message_session_id: 'person_ada',
  });
  expect(await retry(question?.uuid ?? '')).toMatchObject({ state: 'pending' });
  const again = await claimOne(used.ledger.messages, []);
  const { question: answered, shown } = await processed(used, again ?? undefined);
  expect(answered).toMatchObject({ state: 'answered' });
  expect(shown).toEqual(['=one two', '=one two']);
  const [first, second] = used.platform.sent.map(({ idempotency_token }) => idempotency_token);
  expect(first).not.toBe(second);
  expect(used.requests).toHaveLength(1);
});

it('of a part count while the others are still being sent', async () => {
  await open([words], async (id) => {
    if (id === '2') await lateFailures().report(used.botUuid, '1', left);
  });
  const { question, deliveries, shown } = await processed(used);
  expect(shown).toEqual(['=one', '=two']);
  expect(deliveries.map(({ state }) => state)).toEqual(['failed', 'sent']);
  expect(question).toMatchObject({ state: 'failed', reason: 'unknown_target' });
});

it('may be reported before the result of the send is stored', async () => {
  let report: Promise<void> | undefined;
  await open([], async (id) => {
    report = lateFailures().report(used.botUuid, id, left);
  });
  await processed(used);
  await report;
  const { delivery, question } = await used.storage.database
    .selectFrom('deliveries')
    .innerJoin('messages as answer', 'answer.uuid', 'deliveries.message_uuid')
    .innerJoin('messages as question', 'question.uuid', 'answer.reply_to')
    .select(['deliveries.state as delivery', 'question.state as question'])
    .executeTakeFirstOrThrow();
  expect([delivery, question]).toEqual(['failed', 'failed']);
});

it('of messages that the bot has not sent are ignored', async () => {
  await open();
  await processed(used);
  const warned: string[] = [];
  used.published.length = 0;
  await lateFailures(warned).report(used.botUuid, '2', left);
  expect(warned).toEqual(['a platform reported the failure of a message that is not known']);
  expect(used.published).toEqual([]);
});

it('of messages that a program sent are retried with a new token', async () => {
  await open();
  const { deliveries } = used.ledger;
  const key = conversationKey({ bot_uuid: used.botUuid });
  const news = await deliveries.createOutgoing(key, plain('News'), 'News');
  const { uuid } = news;
  const sent = { state: 'sent', reason: null, error: null, platform_message_id: '1' } as const;
  await deliveries.settleDelivery(partOf(uuid, 0, news), sent);
  await lateFailures().report(used.botUuid, '1', new Error('of a plugin'));
  expect(used.published).toEqual(['outbound failed platform_failed']);
  expect(await retry(uuid)).toMatchObject({ state: 'sent' });
  expect(used.platform.sent).toMatchObject([{ message_chain: plain('News') }]);
  expect(used.platform.sent[0]?.idempotency_token).not.toBe(uuid);
});
