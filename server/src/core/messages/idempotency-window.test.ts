import { DeliveryError, type PlatformCapabilities, type RunnerDelta } from '@parley/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { recordingPlatform } from '../../../test/stores/ledger-fixture.ts';
import { openProcessorFixture, type ProcessorFixture, processed } from '../../../test/stores/processor-fixture.ts';
import { afterDeath } from '../../../test/stores/replicas.ts';

const said: RunnerDelta = { type: 'text', text: 'one' };
const unknown = new DeliveryError('unknown', 'platform_failed', 'No answer');
const unreachable = new DeliveryError('not_sent', 'platform_failed', 'No connection');
const minute = 60_000;

describe('a platform that drops repeats for an hour', () => {
  let used: ProcessorFixture;
  const failures: Error[] = [];
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
    failures.length = 0;
  });
  afterEach(async () => {
    await used.close();
    vi.useRealTimers();
  });
  const open = async (over: Partial<PlatformCapabilities> = {}) => {
    const capabilities = { streams: {}, idempotent_sends: true, idempotency_ms: 60 * minute, ...over };
    const platform = recordingPlatform(capabilities);
    platform.refuse = () => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
    };
    used = await openProcessorFixture({ says: [said], platform, expiryMs: 24 * 60 * minute });
  };
  const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
  /** Makes another attempt, so much later. */
  const again = async (milliseconds: number) => {
    // The pause after the failure.
    await used.holds.cleared(used.botUuid, { session_type: 'person', session_id: 'ada' }, 5000);
    pass(milliseconds);
    const message = await vi.waitFor(
      async () => {
        const claimed = await claimOne(used.ledger.messages, []);
        if (claimed === null) throw new Error('no message is due');
        return claimed;
      },
      { timeout: 5000, interval: 10 },
    );
    return processed(used, message);
  };

  it('gets a message again after an unknown result, within that time', async () => {
    await open();
    failures.push(unknown);
    expect((await processed(used)).question).toMatchObject({ state: 'received' });
    const { question, delivery } = await again(59 * minute);
    expect(question).toMatchObject({ state: 'answered' });
    expect(delivery).toMatchObject({ state: 'sent' });
    const tokens = used.platform.sent.map(({ idempotency_token }) => idempotency_token);
    expect(tokens).toEqual([delivery?.idempotency_token]);
  });

  it('does not get it after that time, counted from the first attempt', async () => {
    await open();
    failures.push(unknown, unknown, unreachable);
    await processed(used);
    expect((await again(30 * minute)).question).toMatchObject({ state: 'received' });
    expect((await again(29 * minute)).question).toMatchObject({ state: 'received' });
    const { question, delivery, shown } = await again(2 * minute);
    expect(shown).toEqual([]);
    expect(delivery).toMatchObject({
      state: 'uncertain',
      reason: 'uncertain',
      error: expect.stringContaining('repeated'),
    });
    expect(question).toMatchObject({ state: 'uncertain' });
  });

  it('gets it however late when no attempt can have arrived', async () => {
    await open();
    failures.push(unreachable, unreachable);
    await processed(used);
    await again(30 * minute);
    expect((await again(10 * 60 * minute)).question).toMatchObject({ state: 'answered' });
    expect(used.platform.shown).toEqual(['=one']);
  });

  it('does not get it again after an unknown result of an attempt after that time', async () => {
    await open();
    failures.push(unreachable, unknown);
    await processed(used);
    // The first attempt that may have arrived starts the period again.
    expect((await again(90 * minute)).question).toMatchObject({ state: 'received' });
    expect((await again(59 * minute)).question).toMatchObject({ state: 'answered' });
  });

  it.each([
    [59, 'answered', ['=one']],
    [61, 'uncertain', []],
  ])('gets a message whose sending was interrupted %i minutes ago, or not: %s', async (minutes, state, expected) => {
    await open();
    const message = await used.received('Hello');
    const outcome = { state: 'answered', reason: 'answered' } as const;
    const pieces = [[{ type: 'Plain', text: 'one' } as const]];
    const record = { trace: { attempt: 1, gates: [] }, model_calls: [] };
    await used.ledger.deliveries.finishAnswer(
      message,
      { pieces, text: 'one', state: 'finished', outcome, merged: [] },
      record,
    );
    await afterDeath(used.storage, used.ledger.messages);
    const { question, shown } = await again(minutes * minute);
    expect(question).toMatchObject({ state });
    expect(shown).toEqual(expected);
  });

  it('gets it after that time when the operator retries it', async () => {
    await open();
    failures.push(unknown);
    await processed(used);
    const { question } = await again(2 * 60 * minute);
    expect(question).toMatchObject({ state: 'uncertain' });
    const answer = await used.ledger.deliveries.deliveredMessage(question?.uuid ?? '');
    if (answer === null) throw new Error('no answer');
    await used.ledger.deliveries.reopenDelivery(answer, 0, new Date(Date.now() + minute).toISOString());
    expect((await again(0)).question).toMatchObject({ state: 'answered' });
    expect(used.platform.shown).toEqual(['=one']);
  });
});
