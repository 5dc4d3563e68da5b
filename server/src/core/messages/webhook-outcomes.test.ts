import type { PipelineMessage, RunnerDelta, Stage } from '@parley/sdk';
import { silentLogger } from '@parley/sdk/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { conversationKey, messageEvent } from '../../../test/stores/ledger-records.ts';
import {
  openProcessorFixture,
  type ProcessorFixture,
  type ProcessorSetting,
  processed,
} from '../../../test/stores/processor-fixture.ts';
import { AdapterStates } from '../bots/adapter-states.ts';
import { MessageIntake } from './message-intake.ts';
import type { WebhookOutcome } from './webhook-outcomes.ts';

const later = new Date(Date.now() + 3_600_000).toISOString();
const answer: RunnerDelta = { type: 'text', text: 'Hello' };
const passed: WebhookOutcome = { outcome: 'passed', told: 2, answered: 1 };
const awaited: WebhookOutcome = { outcome: 'awaited', told: 2 };
const skipped: WebhookOutcome = { outcome: 'skipped', webhook: { id: 7, name: 'Desk' } };

describe('a message that webhooks receive', () => {
  let fixture: ProcessorFixture;
  afterEach(() => fixture.close());
  /** @param outcomes what webhooks say, one after the other; the last one again and again */
  const open = async (outcomes: WebhookOutcome[], setting: ProcessorSetting = {}) => {
    const outcomeOf = async () => (outcomes.length > 1 ? outcomes.shift() : outcomes[0]) as WebhookOutcome;
    fixture = await openProcessorFixture({ says: [answer], webhooks: { outcomeOf }, ...setting });
    return fixture;
  };
  const received = async (text = 'Hello') => ({ ...(await fixture.received(text)), webhook_wait_until: later });
  const stored = (uuid: string) =>
    fixture.storage.database.selectFrom('messages').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow();

  it('is answered when none of them keeps it', async () => {
    await open([passed]);
    const { question, gates, shown } = await processed(fixture, await received());
    expect(question).toMatchObject({ state: 'answered' });
    expect(gates).toMatchObject([
      { name: 'webhooks', outcome: 'passed', reason: null, details: { told: 2, answered: 1 } },
      { name: 'runner' },
    ]);
    expect(shown).not.toEqual([]);
  });

  it('ends when one of them keeps it, before anything else is done', async () => {
    const stage: Stage = { name: 'never', label: { en_US: 'Never' }, check: () => Promise.reject(new Error('called')) };
    await open([skipped], { stages: [stage] });
    const { question, gates, shown } = await processed(fixture, await received());
    expect(question).toMatchObject({ state: 'stopped', reason: 'skipped_by_webhook' });
    const details = { webhook: { id: 7, name: 'Desk' } };
    expect(gates).toEqual([expect.objectContaining({ name: 'webhooks', outcome: 'stopped', details })]);
    expect([shown, fixture.requests]).toEqual([[], []]);
  });

  it('goes back to the queue while they are waited for', async () => {
    await open([awaited]);
    const message = await received();
    await processed(fixture, message);
    expect(await stored(message.uuid)).toMatchObject({ state: 'received', reason: 'awaiting_webhook' });
    expect(await claimOne(fixture.ledger.messages, [])).toBeNull();
    expect(await fixture.ledger.messages.nextDue()).toBe(Date.parse(later));
    await fixture.ledger.messages.hurry(message.conversation_uuid);
    expect((await claimOne(fixture.ledger.messages, []))?.uuid).toBe(message.uuid);
  });

  it('does not wait for a response that arrived during its release', async () => {
    await open([awaited, passed]);
    const message = await received();
    await processed(fixture, message);
    const again = await claimOne(fixture.ledger.messages, []);
    expect(again).toMatchObject({ uuid: message.uuid, attempts: 2 });
  });

  it('is merged with none that they handle, and waits for none that they may handle', async () => {
    const seen: PipelineMessage[][] = [];
    const stage: Stage = {
      name: 'looks',
      label: { en_US: 'Looks' },
      check: async (_, context) => {
        seen.push(await context.waitingMessages());
        return { outcome: 'pass' };
      },
    };
    await open([skipped, passed, awaited], { stages: [stage] });
    const message = await fixture.received('first');
    const key = conversationKey({ bot_uuid: fixture.botUuid, pipeline_uuid: fixture.pipelineUuid });
    for (const text of ['no webhook', 'handled', 'not handled', 'undecided', 'behind']) {
      await fixture.ledger.messages.accept(key, messageEvent(text));
    }
    await fixture.storage.database
      .updateTable('messages')
      .set({ webhook_wait_until: later })
      .where('text', 'in', ['handled', 'not handled', 'undecided'])
      .execute();
    await processed(fixture, message);
    const texts = seen[0]?.map(({ message_chain: [element] }) => element?.type === 'Plain' && element.text);
    expect(texts).toEqual(['no webhook', 'not handled']);
  });

  it('is the only one that triggers a notification of webhooks', async () => {
    await open([passed]);
    const { storage, ledger, messageEvents: events, bots, botUuid } = fixture;
    const calls: unknown[] = [];
    const intake = new MessageIntake(ledger.messages, bots, {
      events,
      accepted: () => undefined,
      notifyWebhooks: (message) => calls.push(message),
      accountId: () => null,
      takesCommands: () => false,
      commands: {} as never,
      conversations: {} as never,
      cancellations: {} as never,
      replyContexts: { sealed: () => null },
      mediaFetch: { sealed: () => [] },
      states: new AdapterStates({} as never, {} as never),
      logger: silentLogger,
    });
    await intake.receive(botUuid, messageEvent('before'));
    expect(calls).toEqual([]);
    const webhook = {
      name: 'n',
      url: 'http://127.0.0.1/',
      description: '',
      enabled: 1,
      created_at: '',
      updated_at: '',
    };
    await storage.database.insertInto('webhooks').values(webhook).execute();
    const event = messageEvent('after');
    const { uuid } = await intake.receive(botUuid, event);
    const expected = { uuid, conversation_uuid: expect.any(String), webhook_wait_until: null };
    expect(calls).toEqual([expected]);
    await intake.receive(botUuid, event);
    expect(calls).toHaveLength(1);
  });
});
