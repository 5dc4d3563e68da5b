import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey, messageEvent, plain } from '../../../test/stores/ledger-records.ts';
import { now } from '../../lib/clock.ts';
import { KyselyBotStore } from '../bots/kysely-bot-store.ts';
import { openLedger } from '../messages/open-ledger.ts';
import { KyselyStatisticsStore } from './kysely-statistics-store.ts';

const { bot_uuid } = conversationKey();

describeOnEachEngine('the count of the ledger', (storage) => {
  const count = async (activeSince: number, receivedSince = activeSince) => {
    const store = new KyselyStatisticsStore(storage().database);
    const received = await store.received(receivedSince, Number.MAX_SAFE_INTEGER);
    return { ...(await store.count(activeSince)), query_count: received };
  };
  const open = () => openLedger(storage());
  const createBot = () =>
    new KyselyBotStore(storage().database, storage().engine).create({
      uuid: bot_uuid,
      name: 'Bot',
      description: '',
      adapter: 'fake',
      adapter_config: {},
      sealed_secrets: null,
      enable: true,
      use_pipeline_uuid: null,
      created_at: now(),
      updated_at: now(),
    });

  it('is nothing where nothing happened', async () => {
    expect(await count(0)).toEqual({ active_session_count: 0, conversation_count: 0, query_count: 0 });
  });

  it('counts users and groups once, active conversations, and messages received', async () => {
    await createBot();
    const ledger = await open();
    const ada = conversationKey();
    for (const key of [ada, ada, conversationKey({ session_id: 'bob' }), conversationKey({ session_type: 'group' })]) {
      await ledger.messages.accept(key, messageEvent('Hello'));
    }
    await ledger.deliveries.createOutgoing(ada, plain('News'), 'News');
    expect(await count(0)).toEqual({ active_session_count: 3, conversation_count: 3, query_count: 4 });

    await ledger.conversations.endCurrent(ada);
    expect(await count(0)).toEqual({ active_session_count: 3, conversation_count: 2, query_count: 4 });
    await ledger.messages.accept(ada, messageEvent('Hello again'));
    // The same user in another conversation, or with the bot on another pipeline, is still one session.
    await ledger.messages.accept(
      { ...ada, pipeline_uuid: '00000000-0000-7000-8000-00000000c002' },
      messageEvent('Hello there'),
    );
    expect(await count(0)).toEqual({ active_session_count: 3, conversation_count: 4, query_count: 6 });
  });

  it('excludes earlier messages', async () => {
    await createBot();
    const before = Date.now();
    await (await open()).messages.accept(conversationKey(), messageEvent('Hello'));
    const later = Date.now() + 1;
    expect(await count(before, later)).toEqual({ active_session_count: 1, conversation_count: 1, query_count: 0 });
    expect(await count(later, before)).toEqual({ active_session_count: 0, conversation_count: 1, query_count: 1 });
  });

  it('excludes later messages', async () => {
    const store = new KyselyStatisticsStore(storage().database);
    const before = Date.now();
    await (await open()).messages.accept(conversationKey(), messageEvent('Hello'));
    expect(await store.received(before - 60_000, before)).toBe(0);
    expect(await store.received(before, Date.now() + 1)).toBe(1);
  });

  it('leaves out conversations of bots that are gone', async () => {
    await (await open()).messages.accept(conversationKey(), messageEvent('Hello'));
    expect(await count(0)).toEqual({ active_session_count: 0, conversation_count: 0, query_count: 1 });
  });
});
