import { DeliveryError } from '@parley/sdk';
import { expect, it } from 'vitest';
import { openBotFixture } from '../../../test/stores/bot-fixture.ts';

it('failures that an adapter reports are those of its bot, until its connection is closed', async () => {
  const reports: unknown[][] = [];
  const fixture = await openBotFixture({ reportFailure: async (...report) => void reports.push(report) });
  try {
    const uuid = await fixture.create();
    const [adapter] = fixture.fake.up();
    const failure = new DeliveryError('refused', 'quota', 'Used up');
    await adapter?.context.reportFailure('7', failure);
    expect(reports).toEqual([[uuid, '7', failure]]);
    await fixture.runtime.stop();
    await expect(adapter?.context.reportFailure('8', failure)).rejects.toMatchObject({ reason: 'bot_not_running' });
    expect(reports).toHaveLength(1);
  } finally {
    await fixture.close();
  }
});
