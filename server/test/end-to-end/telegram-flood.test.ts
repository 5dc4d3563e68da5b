import { silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AdapterStates } from '../../src/core/bots/adapter-states.ts';
import { MessageIntake } from '../../src/core/messages/message-intake.ts';
import { type FakeTelegram, startFakeTelegram } from '../../src/platforms/telegram/testing/fake-telegram.ts';
import { incoming, privateChat } from '../../src/platforms/telegram/testing/fixtures.ts';
import { createAdapter } from '../../src/platforms/telegram/testing/start-adapter.ts';
import { builtInCommandService } from '../factories/built-in-command-service.ts';
import { localCancellations } from '../factories/local-cancellations.ts';
import { type LedgerFixture, openLedgerFixture, recordingPlatform } from '../stores/ledger-fixture.ts';

let fixture: LedgerFixture;
let fake: FakeTelegram;
let intake: MessageIntake;
beforeEach(async () => {
  fixture = await openLedgerFixture(recordingPlatform());
  fake = await startFakeTelegram();
  intake = new MessageIntake(fixture.ledger.messages, fixture.bots, {
    accepted: () => undefined,
    accountId: () => null,
    takesCommands: () => true,
    commands: builtInCommandService(),
    conversations: fixture.ledger.conversations,
    cancellations: localCancellations(),
    replyContexts: { sealed: () => null },
    mediaFetch: { sealed: () => [] },
    states: new AdapterStates({} as never, {} as never),
    events: fixture.messageEvents,
    logger: silentLogger,
  });
});
afterEach(async () => {
  await fake.close();
  await fixture.close();
});

it('a flood in one chat costs one transaction per poll, and delays no other chat', async () => {
  const users = Array.from({ length: 20 }, (_, index) => ({
    id: 2000 + index,
    is_bot: false,
    first_name: `U${index}`,
  }));
  for (let index = 0; index < 1000; index += 1) {
    fake.deliver(incoming({ text: `flood ${index}` }));
    const from = users[index % 20] as (typeof users)[number];
    if (index % 5 === 0) fake.deliver(incoming({ text: `calm ${index}`, from, chat: privateChat(from) }));
  }
  const transactions = vi.spyOn(fixture.storage.database, 'transaction');
  const { adapter } = await createAdapter(fake, {
    context: {
      receive: (event) => intake.receive(fixture.botUuid, event),
      receiveAll: (events) => intake.receiveAll(fixture.botUuid, events),
    },
  });
  try {
    await adapter.start();
    await expect.poll(() => fake.pending, { timeout: 20_000 }).toBe(0);
    // 1200 updates in polls of 100. One transaction for each message would be 1200.
    expect(transactions).toHaveBeenCalledTimes(12);
  } finally {
    transactions.mockRestore();
    await adapter.stop();
  }
  const rows = await fixture.storage.database.selectFrom('messages').select('text').orderBy('position').execute();
  expect(rows).toHaveLength(1200);
  const flood = rows.map(({ text }) => text).filter((text) => text.startsWith('flood'));
  expect(flood).toEqual(Array.from({ length: 1000 }, (_, index) => `flood ${index}`));
});
