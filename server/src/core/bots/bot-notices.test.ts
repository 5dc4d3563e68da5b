import type { PlatformNotice } from '@parley/sdk';
import { afterEach, expect, it } from 'vitest';
import { type BotFixture, openBotFixture } from '../../../test/stores/bot-fixture.ts';

let fixture: BotFixture;
afterEach(() => fixture.close());

it('notices of a platform reach the receiver with their bot, until the connection ends', async () => {
  const received: [string, PlatformNotice][] = [];
  fixture = await openBotFixture({ receiveNotice: async (...notice) => void received.push(notice) });
  const uuid = await fixture.create();
  const context = fixture.fake.adapters[0]?.context;
  const notice = { type: 'recalled', platform_message_id: 'one' } as const;
  await context?.receiveNotice(notice);
  expect(received).toEqual([[uuid, notice]]);
  await fixture.service.update(uuid, { enable: false });
  await expect(context?.receiveNotice(notice)).rejects.toMatchObject({ reason: 'bot_not_running' });
  expect(received).toHaveLength(1);
});
