import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import type { NewBotEvent } from '../../core/bots/bot-event.ts';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyBotEventStore } from './kysely-bot-event-store.ts';
import { KyselyBotStore } from './kysely-bot-store.ts';

describeOnEachEngine('the store of event logs', (storage) => {
  const store = () => new KyselyBotEventStore(storage().database, storage().engine);
  const bots = () => new KyselyBotStore(storage().database, storage().engine);
  const createBot = async () => {
    const uuid = newUuid();
    await bots().create({
      uuid,
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
    return uuid;
  };
  const event = (bot_uuid: string, text: string, over: Partial<NewBotEvent> = {}): NewBotEvent => ({
    bot_uuid,
    created_at: '2026-01-02T03:04:05.678Z',
    code: null,
    reason: null,
    level: 'info',
    text,
    images: [],
    message_session_id: '',
    ...over,
  });
  const numbered = (bot_uuid: string, count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => event(bot_uuid, String(from + index)));
  const shown = async (bot_uuid: string, last: number | null, count: number) =>
    (await store().window(bot_uuid, last, count)).logs.map(({ seq_id, text }) => `${seq_id}:${text}`);

  it('returns entries as they were stored, numbered from 0', async () => {
    const uuid = await createBot();
    expect(await store().window(uuid, null, 10)).toEqual({ logs: [], total_count: 0 });
    const entry = event(uuid, 'Hello 🔑', {
      level: 'warning',
      code: 'connection_lost',
      reason: 'platform_failed',
      images: ['a.png', 'b.png'],
      message_session_id: 'group_x',
    });
    await store().append([entry, event(uuid, 'again')], 10);
    expect(await store().window(uuid, null, 10)).toEqual({
      logs: [
        {
          seq_id: 0,
          timestamp: 1_767_323_045,
          level: 'warning',
          text: 'Hello 🔑',
          code: 'connection_lost',
          reason: 'platform_failed',
          images: ['a.png', 'b.png'],
          message_session_id: 'group_x',
        },
        expect.objectContaining({ seq_id: 1, text: 'again' }),
      ],
      total_count: 2,
    });
  });

  it('returns a window with the requested end', async () => {
    const uuid = await createBot();
    await store().append(numbered(uuid, 6), 4);
    expect(await shown(uuid, null, 2)).toEqual(['4:4', '5:5']);
    expect(await shown(uuid, 4, 2)).toEqual(['3:3', '4:4']);
    expect(await shown(uuid, 3, 10)).toEqual(['2:2', '3:3']);
    expect(await shown(uuid, 1, 10)).toEqual([]);
    expect(await shown(uuid, 0, 10)).toEqual([]);
    expect(await shown(uuid, 6, 2)).toEqual(['4:4', '5:5']);
    expect(await shown(uuid, 1_000_000_000_000, 2)).toEqual(['4:4', '5:5']);
    expect(await shown(uuid, null, 0)).toEqual([]);
    expect((await store().window(uuid, 0, 0)).total_count).toBe(4);
  });

  it('continues numbering per bot after earlier entries were removed', async () => {
    const [first, second] = [await createBot(), await createBot()];
    await store().append([...numbered(first, 3), ...numbered(second, 2)], 2);
    await store().append([event(second, 'x'), event(first, 'y'), event(second, 'z')], 2);
    expect(await shown(first, null, 9)).toEqual(['2:2', '3:y']);
    expect(await shown(second, null, 9)).toEqual(['2:x', '3:z']);
    await store().append(numbered(first, 5, 4), 2);
    expect(await shown(first, null, 9)).toEqual(['7:7', '8:8']);
  });

  it('passes over entries of bots that are gone, and stores the others', async () => {
    const [remaining, gone] = [await createBot(), await createBot()];
    await store().append([event(gone, 'a'), event(remaining, 'b')], 9);
    await bots().delete(gone);
    expect(await store().window(gone, null, 9)).toEqual({ logs: [], total_count: 0 });
    await store().append([event(gone, 'c'), event(newUuid(), 'd'), event(remaining, 'e')], 9);
    await store().append([event(gone, 'f')], 9);
    await store().append([], 9);
    expect(await shown(remaining, null, 9)).toEqual(['0:b', '1:e']);
    expect(await storage().database.selectFrom('bot_events').select('text').execute()).toHaveLength(2);
  });

  it('numbers entries of many at once without gaps or doubles, while bots are deleted', async () => {
    const uuids = [await createBot(), await createBot(), await createBot()];
    const gone = await createBot();
    const appends = Array.from({ length: 20 }, (_, index) =>
      store().append(
        [...uuids, gone].sort(() => Math.random() - 0.5).map((uuid) => event(uuid, String(index))),
        100,
      ),
    );
    await Promise.all([...appends, bots().delete(gone)]);
    for (const uuid of uuids) {
      const { logs } = await store().window(uuid, null, 100);
      expect(logs.map(({ seq_id }) => seq_id)).toEqual(Array.from({ length: 20 }, (_, index) => index));
    }
    expect((await store().window(gone, null, 100)).total_count).toBe(0);
  });

  it('stores a large batch', async () => {
    const uuid = await createBot();
    await store().append(numbered(uuid, 2000), 1000);
    expect((await store().window(uuid, null, 1)).total_count).toBe(1000);
    expect(await shown(uuid, null, 1)).toEqual(['1999:1999']);
  });
});
