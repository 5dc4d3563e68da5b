import { setTimeout as wait } from 'node:timers/promises';
import type { MessageChain, MessageEvent, MessageFacts, ParleyError, Reason } from '@parley/sdk';
import { silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtInCommandService } from '../../../test/factories/built-in-command-service.ts';
import { localCancellations } from '../../../test/factories/local-cancellations.ts';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { type LedgerFixture, openLedgerFixture, recordingPlatform } from '../../../test/stores/ledger-fixture.ts';
import { conversationKey, messageEvent } from '../../../test/stores/ledger-records.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { KyselyConversationStore } from '../../storage/conversations/kysely-conversation-store.ts';
import { AdapterStates } from '../bots/adapter-states.ts';
import type { PipelineRoutingRule } from '../bots/pipeline-routing-rule.ts';
import type { Message } from './message.ts';
import { MessageIntake, type MessageIntakeOptions } from './message-intake.ts';
import { RunningAnswers } from './running-answers.ts';

const account = 'bot-1';

let fixture: LedgerFixture;
let intake: MessageIntake;
let running: RunningAnswers;
let conversations: KyselyConversationStore;
let woken: number;
beforeEach(async () => {
  fixture = await openLedgerFixture(recordingPlatform());
  running = new RunningAnswers();
  conversations = fixture.ledger.conversations;
  woken = 0;
  intake = new MessageIntake(fixture.ledger.messages, fixture.bots, options());
});
afterEach(() => fixture.close());

const options = (): MessageIntakeOptions => ({
  accepted: () => {
    woken += 1;
  },
  accountId: (bot) => (bot === fixture.botUuid ? account : null),
  takesCommands: () => true,
  commands: builtInCommandService(['person_root']),
  conversations,
  cancellations: localCancellations(running),
  events: fixture.messageEvents,
  logger: silentLogger,
  replyContexts: { sealed: () => null },
  mediaFetch: { sealed: () => [] },
  states: new AdapterStates({} as never, {} as never),
});
const receive = (text: string, over: Partial<MessageEvent> = {}) =>
  intake.receive(fixture.botUuid, messageEvent(text, over));
const key = (over: Parameters<typeof conversationKey>[0] = {}) =>
  conversationKey({ bot_uuid: fixture.botUuid, pipeline_uuid: fixture.pipelineUuid, ...over });

it('ignores commands where they are disabled', async () => {
  const event = messageEvent('!cancel');
  const run = (takes: boolean) => {
    const other = new MessageIntake(fixture.ledger.messages, fixture.bots, {
      ...options(),
      takesCommands: () => takes,
    });
    return other.receive(fixture.botUuid, { ...event, platform_message_id: String(takes) });
  };
  await receive('first');
  const waiting = await claimOne(fixture.ledger.messages, []);
  await running.run(waiting as Message, async (cancelled) => {
    await run(false);
    expect(cancelled.aborted).toBe(false);
    await run(true);
    expect(cancelled.aborted).toBe(true);
  });
});

it('stores a message for the pipeline of its bot and wakes the queue, once', async () => {
  const event = messageEvent('Hello', { thread_id: 'topic' });
  const receipt = await intake.receive(fixture.botUuid, event);
  expect(receipt).toMatchObject({ outcome: 'accepted', sequence: 1 });
  expect(woken).toBe(1);
  expect(await intake.receive(fixture.botUuid, event)).toEqual({ ...receipt, outcome: 'repeated' });
  expect(woken).toBe(1);
  expect(await fixture.ledger.conversations.current(key({ thread_id: 'topic' }))).not.toBeNull();
});

it('stores a message for the pipeline that it asks for', async () => {
  await receive('Hello', { pipeline_uuid: 'another' });
  expect(await claimOne(fixture.ledger.messages, [])).toMatchObject({ pipeline_uuid: 'another' });
});

it('refuses messages for an unknown or disabled bot, or during a stop', async () => {
  await expect(intake.receive(newUuid(), messageEvent('a'))).rejects.toMatchObject({ reason: 'not_found' });
  await fixture.storage.database.updateTable('bots').set({ enable: 0 }).execute();
  await expect(receive('a')).rejects.toMatchObject({ reason: 'bot_disabled' });
  intake.close();
  await expect(receive('a')).rejects.toMatchObject({ reason: 'not_ready' });
  expect(await claimOne(fixture.ledger.messages, [])).toBeNull();
  expect(woken).toBe(0);
});

describe('the rules of a bot', () => {
  let money: string;
  let mentions: string;
  const route = (rules: PipelineRoutingRule[]) =>
    fixture.botService.update(fixture.botUuid, { pipeline_routing_rules: rules });
  /** The pipeline that a message goes through. */
  async function pipelineOf(text: string, over: Partial<MessageEvent> = {}): Promise<string> {
    const { uuid } = await receive(text, over);
    const { pipeline_uuid } = await fixture.storage.database
      .selectFrom('messages')
      .innerJoin('conversations', 'conversations.uuid', 'messages.conversation_uuid')
      .select('pipeline_uuid')
      .where('messages.uuid', '=', uuid)
      .executeTakeFirstOrThrow();
    return pipeline_uuid;
  }
  beforeEach(async () => {
    money = await fixture.pipelines.create({ name: 'Money' });
    mentions = await fixture.pipelines.create({ name: 'Mentions' });
    await route([
      { pipeline_uuid: mentions, mentioned: true },
      { pipeline_uuid: money, keywords: ['invoice'] },
    ]);
  });

  it('choose the pipeline of a message', async () => {
    expect(await pipelineOf('Hello')).toBe(fixture.pipelineUuid);
    expect(await pipelineOf('My INVOICE')).toBe(money);
    const at = (target: string | number) => ({
      message_chain: [{ type: 'At', target } as const, { type: 'Plain', text: ' an invoice' } as const],
    });
    expect(await pipelineOf('', at(account))).toBe(mentions);
    expect(await pipelineOf('', at('another'))).toBe(money);
    const quoted: MessageChain = [{ type: 'Quote', origin: [{ type: 'Plain', text: 'invoice' }] as MessageChain }];
    expect(await pipelineOf('', { message_chain: quoted })).toBe(fixture.pipelineUuid);
  });

  it('do not apply when a pipeline is requested', async () => {
    expect(await pipelineOf('My invoice', { pipeline_uuid: mentions })).toBe(mentions);
  });

  it('change for the next message, and leave the bot to the pipeline that it is bound to, or to none', async () => {
    await route([{ pipeline_uuid: money, persons: ['bob'] }]);
    expect(await pipelineOf('My invoice')).toBe(fixture.pipelineUuid);
    await fixture.botService.update(fixture.botUuid, { use_pipeline_uuid: '' });
    expect(await pipelineOf('My invoice')).toBe('');
    expect(await pipelineOf('My invoice', { sender_id: 'bob' })).toBe(money);
  });

  it('send a command to the active conversation', async () => {
    expect(await pipelineOf('!help')).toBe(fixture.pipelineUuid);
    await receive('My invoice');
    expect(await pipelineOf('!cancel')).toBe(money);
    expect(await pipelineOf('!model invoice', { session_id: 'bob' })).toBe(money);
    await receive('Hello');
    expect(await pipelineOf('!model invoice')).toBe(fixture.pipelineUuid);
    // A pipeline that the bot does not use any more has no active conversation.
    await receive('My invoice');
    await route([{ pipeline_uuid: mentions, mentioned: true }]);
    expect(await pipelineOf('!status')).toBe(fixture.pipelineUuid);
  });

  it('take one read of the bot', async () => {
    let reads = 0;
    const bots = {
      byUuid: (uuid: string) => {
        reads += 1;
        return fixture.bots.byUuid(uuid);
      },
    };
    const other = new MessageIntake(fixture.ledger.messages, bots, options());
    await other.receive(fixture.botUuid, messageEvent('My invoice'));
    expect(reads).toBe(1);
  });
});

describe('a command that interrupts', () => {
  const inGroup = (sender_id: string, facts: MessageFacts = {}): Partial<MessageEvent> => ({
    session_type: 'group',
    session_id: 'g1',
    sender_id,
    facts,
  });

  /** Takes the next message up. @returns it, and how its answer ended */
  async function begin(): Promise<{ message: Message; ended: Promise<Reason> }> {
    const message = await claimOne(fixture.ledger.messages, []);
    if (message === null) throw new Error('no message was waiting');
    return { message, ended: answer(message) };
  }
  const answer = (message: Message): Promise<Reason> =>
    running.run(message, async (cancelled) => {
      if (!cancelled.aborted) await new Promise((resolve) => cancelled.addEventListener('abort', resolve));
      return (cancelled.reason as ParleyError).reason;
    });
  const stillRunning = async (ended: Promise<Reason>) =>
    (await Promise.race([ended, wait(20, 'running')])) === 'running';
  /** The outcomes of all messages, in order. */
  const reasons = async () => {
    const rows = await fixture.storage.database.selectFrom('messages').selectAll().orderBy('position').execute();
    return rows.map(({ text, state, reason }) => `${text}: ${reason ?? state}`);
  };

  it.each([
    ['!cancel', 'cancelled'],
    ['!stop', 'cancelled'],
    ['!reset', 'reset'],
  ])('ends running and earlier waiting messages: %s', async (command, reason) => {
    await receive('one');
    const { ended } = await begin();
    await receive('two');
    await receive('three');
    await receive('elsewhere', { session_id: 'bob', sender_id: 'bob' });
    await receive(command);
    await receive('four', { thread_id: 'other' });
    expect(await ended).toBe(reason);
    expect(await reasons()).toEqual([
      'one: processing',
      `two: ${reason}`,
      `three: ${reason}`,
      'elsewhere: received',
      `${command}: received`,
      'four: received',
    ]);
    expect(woken).toBe(6);
  });

  it('ends a claimed message before it starts', async () => {
    await receive('one');
    const taken = await claimOne(fixture.ledger.messages, []);
    await receive('!cancel');
    expect(await answer(taken as Message)).toBe('cancelled');
  });

  it.each([
    ['alone', {}],
    ['in a group', inGroup('ada')],
  ])('does not end itself when it is claimed immediately, %s', async (_, over) => {
    let ended: Promise<Reason> | undefined;
    const quick = new MessageIntake(
      {
        accept: async (...parameters) => {
          const receipt = await fixture.ledger.messages.accept(...parameters);
          ({ ended } = await begin());
          return receipt;
        },
        acceptAll: (...parameters) => fixture.ledger.messages.acceptAll(...parameters),
        stopWaiting: (...parameters) => fixture.ledger.messages.stopWaiting(...parameters),
      },
      fixture.bots,
      options(),
    );
    const { uuid } = await quick.receive(fixture.botUuid, messageEvent('!cancel', over));
    const { conversation_uuid } = await fixture.storage.database
      .selectFrom('messages')
      .select('conversation_uuid')
      .where('uuid', '=', uuid)
      .executeTakeFirstOrThrow();
    expect(await stillRunning(ended as Promise<Reason>)).toBe(true);
    expect(running.cancel(conversation_uuid, 'reset')).toBe(true);
    expect(await ended).toBe('reset');
  });

  it('by a reset lets the next message start a new conversation', async () => {
    const before = await receive('one');
    await receive('!reset');
    const after = await receive('two');
    expect([before.sequence, after.sequence]).toEqual([1, 1]);
    const rows = await fixture.storage.database
      .selectFrom('conversations')
      .select(['is_current', 'last_sequence'])
      .orderBy('created_at')
      .orderBy('uuid')
      .execute();
    expect(rows).toEqual([
      { is_current: 0, last_sequence: 2 },
      { is_current: 1, last_sequence: 1 },
    ]);
  });

  it('interrupts once, however often it is delivered', async () => {
    const command = messageEvent('!cancel');
    await intake.receive(fixture.botUuid, command);
    await receive('one');
    await intake.receive(fixture.botUuid, command);
    expect(await reasons()).toEqual(['!cancel: received', 'one: received']);
  });

  it.each<[string, string, MessageFacts]>([
    ['its owner', 'eve', { sender_permission: 'OWNER' }],
    ['an administrator of it', 'eve', { sender_permission: 'ADMINISTRATOR' }],
    ['an administrator of the bots', 'root', {}],
  ])('in a group ends everything when it is given by %s', async (_, sender, facts) => {
    await receive('one', inGroup('ada'));
    const { ended } = await begin();
    await receive('two', inGroup('bob'));
    await receive('!cancel', inGroup(sender, facts));
    expect(await ended).toBe('cancelled');
    expect(await reasons()).toEqual(['one: processing', 'two: cancelled', '!cancel: received']);
  });

  it('in a group ends for a member only their own answer', async () => {
    await receive('one', inGroup('ada'));
    const { ended } = await begin();
    await receive('two', inGroup('bob'));
    await receive('!cancel', inGroup('bob', { sender_permission: 'MEMBER' }));
    await receive('!reset', inGroup('eve'));
    expect(await stillRunning(ended)).toBe(true);
    await receive('!cancel', inGroup('ada'));
    expect(await ended).toBe('cancelled');
    expect(await reasons()).toEqual([
      'one: processing',
      'two: received',
      '!cancel: received',
      '!reset: received',
      '!cancel: received',
    ]);
    const [group] = await fixture.storage.database.selectFrom('conversations').select('is_current').execute();
    expect(group?.is_current).toBe(1);
  });

  it('is stored and acknowledged although it cannot interrupt', async () => {
    const logged: unknown[] = [];
    const other = new MessageIntake(
      {
        accept: (...parameters) => fixture.ledger.messages.accept(...parameters),
        acceptAll: (...parameters) => fixture.ledger.messages.acceptAll(...parameters),
        stopWaiting: () => Promise.reject(new Error('disk full')),
      },
      fixture.bots,
      { ...options(), logger: { ...silentLogger, error: (entry: unknown) => void logged.push(entry) } },
    );
    expect(await other.receive(fixture.botUuid, messageEvent('!cancel'))).toMatchObject({ outcome: 'accepted' });
    expect([woken, logged.length]).toEqual([1, 1]);
  });
});

describe('publishes', () => {
  it('each message once that was stored', async () => {
    const event = messageEvent('one');
    await intake.receive(fixture.botUuid, event);
    await intake.receive(fixture.botUuid, event);
    expect(fixture.published).toEqual(['inbound received null']);
    const events = [event, messageEvent('two'), messageEvent('three', { session_id: 'bob' })];
    await intake.receiveAll(fixture.botUuid, events);
    await intake.receiveAll(fixture.botUuid, events);
    expect(fixture.published).toEqual(Array.from({ length: 3 }, () => 'inbound received null'));
  });

  it('messages that a command ends while they wait', async () => {
    await receive('one');
    await receive('two');
    fixture.published.length = 0;
    await receive('!reset');
    expect(fixture.published).toEqual(['inbound received null', 'inbound stopped reset', 'inbound stopped reset']);
  });

  it('nothing while the store fails', async () => {
    const { schema } = fixture.storage.database;
    await schema.alterTable('messages').renameTo('elsewhere').execute();
    await expect(receive('one')).rejects.toThrow();
    expect((await intake.receiveAll(fixture.botUuid, [messageEvent('two')]))[0]?.status).toBe('rejected');
    expect(fixture.published).toEqual([]);
    await schema.alterTable('elsewhere').renameTo('messages').execute();
    await receive('one');
    expect(fixture.published).toEqual(['inbound received null']);
  });
});
