import { expect, it, onTestFinished } from 'vitest';
import { openBotFixture } from '../../../test/stores/bot-fixture.ts';
import { messageEvent } from '../../../test/stores/ledger-records.ts';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';

it('outlasts the connection of a bot, and is stored with messages', async () => {
  const stored: unknown[] = [];
  const receipt = { outcome: 'accepted', uuid: newUuid(), sequence: 1, created_at: now() } as const;
  const { fake, create, service, close } = await openBotFixture({
    receive: async (_, event, state) => {
      stored.push([event.platform_message_id, state]);
      return receipt;
    },
  });
  onTestFinished(close);
  const uuid = await create();
  const [first] = fake.up();
  await first?.context.state.write({ session: 'abc' });
  await first?.context.receive(messageEvent('Hello', { platform_message_id: 'm-1' }), { cursor: '7' });
  expect(stored).toEqual([['m-1', { cursor: '7' }]]);
  await service.update(uuid, { enable: false });
  await service.update(uuid, { enable: true });
  const [second] = fake.up();
  expect(second).not.toBe(first);
  expect(await second?.context.state.read('session')).toBe('abc');
});
