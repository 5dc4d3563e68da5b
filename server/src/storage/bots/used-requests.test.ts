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
    guard = new ReplayGuard(new UsedRequests(storage().database));
  });
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);
  const rows = () => storage().database.selectFrom('used_requests').selectAll().execute();

  it('accepts a request once, also after a restart', async () => {
    expect(await guard.isFirstUse(bot, 'nonce', inSeconds(60))).toBe(true);
    expect(await guard.isFirstUse(bot, 'nonce', inSeconds(60))).toBe(false);
    const restarted = new ReplayGuard(new UsedRequests(storage().database));
    expect(await restarted.isFirstUse(bot, 'nonce', inSeconds(60))).toBe(false);
    expect(await restarted.isFirstUse(bot, 'another', inSeconds(60))).toBe(true);
  });

  it('accepts one of many copies that arrive at once', async () => {
    const uses = await Promise.all(Array.from({ length: 20 }, () => guard.isFirstUse(bot, 'nonce', inSeconds(60))));
    expect(uses.filter(Boolean)).toHaveLength(1);
  });

  it('keeps the requests of bots apart', async () => {
    await guard.isFirstUse(bot, 'nonce', inSeconds(60));
    expect(await guard.isFirstUse(await addBot(storage()), 'nonce', inSeconds(60))).toBe(true);
  });

  it('stores a digest of limited length instead of the id', async () => {
    await guard.isFirstUse(bot, 'secret '.repeat(100_000), inSeconds(60));
    expect(await rows()).toEqual([
      { bot_uuid: bot, digest: expect.stringMatching(/^[\w-]{43}$/), expires_at: expect.any(String) },
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
    const store = new UsedRequests(storage().database);
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
