import { ParleyError } from '@parley/sdk';
import { afterEach, expect, it } from 'vitest';
import { heldHere } from '../../../test/factories/held-here.ts';
import { conversationKey, plain } from '../../../test/stores/ledger-records.ts';
import { partOf } from '../../../test/stores/ledger-steps.ts';
import { openProcessorFixture, type ProcessorFixture, processed } from '../../../test/stores/processor-fixture.ts';
import type { DeliveryOutcome } from './delivery.ts';
import { DeliveryRetry } from './delivery-retry.ts';

const failed: DeliveryOutcome = { state: 'failed', reason: 'quota', error: 'Too many', platform_message_id: null };
let used: ProcessorFixture;
afterEach(() => used.close());

const retry = (uuid: string, queued = () => {}) =>
  new DeliveryRetry(used.ledger.deliveries, {
    holders: heldHere,
    bots: used.runtime,
    sender: { resend: async () => undefined, requireSendable: async () => undefined },
    events: used.messageEvents,
    expiryMs: 60_000,
    queued,
  }).retry(uuid, 0, { kind: 'user', id: 'account' });

it('publishes that a message waits for its answer to be sent again, before it is processed', async () => {
  used = await openProcessorFixture({ says: [{ type: 'text', text: 'Hello' }] });
  used.platform.refuse = () => {
    throw new ParleyError('unknown_target', 'no such user');
  };
  const { question } = await processed(used);
  used.published.length = 0;
  await retry(question?.uuid ?? '', () => used.published.push('queued'));
  expect(used.published).toEqual(['inbound received null', 'queued']);
});

it('publishes that an unsolicited message is sent again', async () => {
  used = await openProcessorFixture({});
  const { deliveries } = used.ledger;
  const news = await deliveries.createOutgoing(conversationKey({ bot_uuid: used.botUuid }), plain('News'), 'News');
  await deliveries.settleDelivery(partOf(news.uuid, 0, news), failed);
  expect(await retry(news.uuid)).toMatchObject({ state: 'sent' });
  expect(used.published).toEqual(['outbound sending null']);
});
