import { DeliveryError, type PlatformNotice } from '@parley/sdk';
import { silentLogger } from '@parley/sdk/testing';
import Type from 'typebox';
import { afterEach, describe, expect, it } from 'vitest';
import { heldHere } from '../../../test/factories/held-here.ts';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { openLedgerFixture, recordingPlatform } from '../../../test/stores/ledger-fixture.ts';
import { conversationKey, messageEvent, plain } from '../../../test/stores/ledger-records.ts';
import { BotGreetings } from '../../storage/bots/bot-greetings.ts';
import { MessageSender } from './message-sender.ts';
import { PlatformNotices } from './platform-notices.ts';

type Fixture = Awaited<ReturnType<typeof set>>;

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const fixture of open.splice(0)) await fixture.close();
});

async function set(welcome_text?: string) {
  const platform = recordingPlatform({ streams: {}, proactive: 'none', reply_context: true });
  platform.config = Type.Object({ welcome_text: Type.String({ default: '' }) });
  const fixture = await openLedgerFixture(platform);
  open.push(fixture);
  const { botUuid, botService: bots, runtime, holds } = fixture;
  if (welcome_text !== undefined) await bots.update(botUuid, { adapter_config: { welcome_text } });
  const notices = () =>
    new PlatformNotices({
      waiting: fixture.ledger.waitingMessages,
      greetings: new BotGreetings(fixture.storage.database),
      sender: new MessageSender(fixture.ledger.deliveries, {
        holders: heldHere,
        events: fixture.messageEvents,
        bots,
        runtime,
        holds,
        assertOwned: () => undefined,
        storeMedia: () => Promise.reject(new Error('no')),
        logger: silentLogger,
      }),
      runtime,
      events: fixture.messageEvents,
    });
  const first = notices();
  const receive = (notice: PlatformNotice) => first.receiveNotice(botUuid, notice);
  return { ...fixture, platform, notices, first, receive };
}

const key = ({ botUuid, pipelineUuid }: Fixture) => conversationKey({ bot_uuid: botUuid, pipeline_uuid: pipelineUuid });

describe('notices of messages', () => {
  it('end a recalled message that waits, with an event', async () => {
    const used = await set();
    await used.ledger.messages.accept(key(used), messageEvent('Hello', { platform_message_id: 'one' }));
    await used.receive({ type: 'recalled', platform_message_id: 'one' });
    expect(used.published).toEqual(['inbound stopped recalled']);
    expect(await claimOne(used.ledger.messages, [])).toBeNull();
    await used.receive({ type: 'recalled', platform_message_id: 'one' });
    await used.receive({ type: 'recalled', platform_message_id: 'unknown' });
    expect(used.published).toHaveLength(1);
  });

  it('replace an edited message that waits', async () => {
    const used = await set();
    await used.ledger.messages.accept(key(used), messageEvent('Helo', { platform_message_id: 'one' }));
    await used.receive({ type: 'edited', platform_message_id: 'one', message_chain: plain('Hello') });
    await used.receive({ type: 'edited', platform_message_id: 'unknown', message_chain: plain('Hello') });
    expect(await claimOne(used.ledger.messages, [])).toMatchObject({ text: 'Hello', message_chain: plain('Hello') });
    expect(used.published).toEqual([]);
  });

  it('are refused while the service stops', async () => {
    const used = await set();
    used.first.close();
    const notice = { type: 'recalled', platform_message_id: 'one' } as const;
    await expect(used.receive(notice)).rejects.toMatchObject({ reason: 'not_ready' });
  });
});

describe('the welcome text', () => {
  const added = { type: 'bot_added', platform_event_id: 'e1', session_type: 'group', session_id: 'friends' } as const;
  const sent = ({ platform }: Fixture) => platform.sent;

  it('is sent once to a chat that the bot was added to, also after a restart', async () => {
    const used = await set(' Hello, all ');
    await used.receive({ ...added, thread_id: '7' });
    await expect.poll(() => sent(used)).toHaveLength(1);
    expect(sent(used)).toMatchObject([
      {
        message_chain: plain('Hello, all'),
        reply_to: null,
        target: { session_type: 'group', session_id: 'friends', thread_id: '7', pipeline_uuid: used.pipelineUuid },
      },
    ]);
    await expect.poll(() => used.published).toEqual(['outbound sending null', 'outbound sent null']);
    await used.receive(added);
    await used.notices().receiveNotice(used.botUuid, added);
    await used.receive({ ...added, platform_event_id: 'e2' });
    await expect.poll(() => sent(used)).toHaveLength(2);
  });

  it('answers the event where the platform gave a context that is valid', async () => {
    const used = await set('Hello');
    const hour = 60 * 60 * 1000;
    const at = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
    const person = { ...added, session_type: 'person', session_id: 'ada' } as const;
    await used.receive({ ...person, reply_context: { value: { token: 1 }, expires_at: at(hour) } });
    await expect.poll(() => sent(used)).toHaveLength(1);
    await used.receive({ ...added, platform_event_id: 'e2', reply_context: { value: 'x' } });
    await expect.poll(() => sent(used)).toHaveLength(2);
    await used.receive({ ...added, platform_event_id: 'e3', reply_context: { value: 'x', expires_at: at(-hour) } });
    await expect.poll(() => sent(used)).toHaveLength(3);
    expect(sent(used).map(({ reply_to }) => reply_to)).toEqual([
      { platform_message_id: 'e1', sender_id: 'ada', context: { token: 1 } },
      { platform_message_id: 'e2', sender_id: '', context: 'x' },
      null,
    ]);
  });

  it.each([undefined, '', ' \n'])('is not sent where it is %j, and may be entered later', async (text) => {
    const used = await set(text);
    await used.receive(added);
    await used.botService.update(used.botUuid, { adapter_config: { welcome_text: 'Hello' } });
    await used.receive(added);
    await expect.poll(() => sent(used)).toHaveLength(1);
  });

  it.each<[string, Error, string]>([
    ['the platform refuses', new DeliveryError('refused', 'unknown_target', 'No such group'), 'No such group'],
    ['fails unexpectedly', new Error('Broken'), 'The delivery of a message is uncertain'],
  ])('that %s is in the event log, and not sent again', async (_, failure, text) => {
    const used = await set('Hello');
    used.platform.refuse = () => {
      throw failure;
    };
    const logged = () => used.events.filter(([, { level }]) => level === 'error' || level === 'warning');
    await used.receive(added);
    await expect.poll(logged).toHaveLength(1);
    expect(logged()[0]?.[1]).toMatchObject({
      text: expect.stringContaining(text),
      message_session_id: 'group_friends',
    });
    await used.receive(added);
    expect(logged()).toHaveLength(1);
  });

  it('of a bot that is disabled meanwhile is in the event log', async () => {
    const used = await set('Hello');
    await used.storage.database.updateTable('bots').set({ enable: 0 }).execute();
    await used.receive(added);
    await expect.poll(() => used.events.at(-1)?.[1].text).toBe('The welcome text was not sent: Bot is disabled');
    expect(sent(used)).toEqual([]);
  });

  it('needs an identifier of the event', async () => {
    const used = await set('Hello');
    await expect(used.receive({ ...added, platform_event_id: '' })).rejects.toMatchObject({
      reason: 'invalid_request',
    });
  });
});
