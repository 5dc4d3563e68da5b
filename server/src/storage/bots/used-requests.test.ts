import { beforeEach, expect, it } from 'vitest';
import { addBot } from '../../../test/stores/add-bot.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { ReplayGuard } from '../../core/bots/replay-guard.ts';
import { secondsFromNow } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyBotStore } from './kysely-bot-store.ts';
import { UsedRequests } from './used-requests.ts';

describeOnEachEngine('the replay guard', (storage) => {
  let bot: string;
  let guard: ReplayGuard;
  beforeEach(async () => {
    bot = await addBot(storage());
    guard = new ReplayGuard(new UsedRequests(storage().database, storage().replica));
  });
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);
  const rows = () => storage().database.selectFrom('used_requests').selectAll().execute();

  it('accepts a request once, also after a restart', async () => {
    expect(await guard.isFirstUse(bot, 'nonce', inSeconds(60))).toBe(true);
    expect(await guard.isFirstUse(bot, 'nonce', inSeconds(60))).toBe(false);
    const restarted = new ReplayGuard(new UsedRequests(storage().database, storage().replica));
    expect(await restarted.isFirstUse(bot, 'nonce', inSeconds(60))).toBe(false);
    expect(await restarted.isFirstUse(bot, 'another', inSeconds(60))).toBe(true);
  });

  it('accepts one of many copies that arrive at once', async () => {
    const uses = await Promise.all(Array.from({ length: 20 }, () => guard.isFirstUse(bot, 'nonce', inSeconds(60))));
    expect(uses.filter(Boolean)).toHaveLength(1);
  });

  it('accepts one again that could not be stored', async () => {
    await guard.isFirstUse(bot, 'nonce', inSeconds(60));
    await guard.isFirstUse(bot, 'another', inSeconds(60));
    await guard.forgetUse(bot, 'nonce');
    expect(await guard.isFirstUse(bot, 'another', inSeconds(60))).toBe(false);
    expect(await guard.isFirstUse(bot, 'nonce', inSeconds(60))).toBe(true);
    expect(await guard.isFirstUse(bot, 'nonce', inSeconds(60))).toBe(false);
  });

  it('accepts one again that could not be stored while the database was away, also on another replica', async () => {
    const store = new UsedRequests(storage().database, storage().replica);
    const [remove, here] = [store.remove.bind(store), new ReplayGuard(store)];
    await here.isFirstUse(bot, 'nonce', inSeconds(60));
    store.remove = () => Promise.reject(new Error('connection lost'));
    await here.forgetUse(bot, 'nonce');
    store.remove = remove;
    await here.isFirstUse(bot, 'another', inSeconds(60));
    expect(await guard.isFirstUse(bot, 'nonce', inSeconds(60))).toBe(true);
  });

  it('accepts once more what a replica took that died, unless it had stopped', async () => {
    const { database } = storage();
    const died = new ReplayGuard(new UsedRequests(database, { id: newUuid() }));
    const stopped = new ReplayGuard(new UsedRequests(database, { id: newUuid() }));
    await died.isFirstUse(bot, 'of the dead', inSeconds(60));
    await stopped.isFirstUse(bot, 'of the stopped', inSeconds(60));
    await stopped.stop();
    const uses = await Promise.all([1, 2, 3].map(() => guard.isFirstUse(bot, 'of the dead', inSeconds(60))));
    expect(uses.filter(Boolean)).toHaveLength(1);
    expect(await guard.isFirstUse(bot, 'of the stopped', inSeconds(60))).toBe(false);
  });

  it('keeps the requests of bots apart', async () => {
    await guard.isFirstUse(bot, 'nonce', inSeconds(60));
    expect(await guard.isFirstUse(await addBot(storage()), 'nonce', inSeconds(60))).toBe(true);
  });

  it('stores a digest of limited length instead of the id', async () => {
    await guard.isFirstUse(bot, 'secret '.repeat(100_000), inSeconds(60));
    expect(await rows()).toEqual([
      {
        bot_uuid: bot,
        digest: expect.stringMatching(/^[\w-]{43}$/),
        expires_at: expect.any(String),
        replica: storage().replica.id,
      },
    ]);
  });

  it('never accepts an expired request, nor one that would be remembered for more than a day', async () => {
    expect(await guard.isFirstUse(bot, 'nonce', inSeconds(-1))).toBe(false);
    for (const expiry of [inSeconds(86_401), new Date(Number.NaN)]) {
      await expect(guard.isFirstUse(bot, 'nonce', expiry)).rejects.toThrow(RangeError);
    }
    expect(await rows()).toEqual([]);
  });

  it('forgets expired requests, as many as it may, the oldest first', async () => {
    const store = new UsedRequests(storage().database, storage().replica);
    for (const seconds of [-30, -10, -20, 60]) {
      await store.add({ bot_uuid: bot, digest: String(seconds), expires_at: secondsFromNow(seconds) });
    }
    expect(await guard.prune(2)).toBe(2);
    expect((await rows()).map(({ digest }) => digest).sort()).toEqual(['-10', '60']);
    expect(await guard.prune(2)).toBe(1);
    expect(await guard.prune(2)).toBe(0);
  });

  it('forgets the requests of a bot that is deleted', async () => {
    await guard.isFirstUse(bot, 'nonce', inSeconds(60));
    const { database, engine } = storage();
    await new KyselyBotStore(database, engine).delete(bot);
    expect(await rows()).toEqual([]);
    await expect(guard.isFirstUse(newUuid(), 'nonce', inSeconds(60))).rejects.toThrow();
  });
});
