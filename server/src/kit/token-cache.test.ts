import { beforeEach, expect, it, vi } from 'vitest';
import { type AccessToken, TokenCache, type TokenCacheOptions } from './token-cache.ts';

let time: number;
let fetched: number;
const fetchToken = vi.fn<() => Promise<AccessToken>>();
beforeEach(() => {
  time = 1_700_000_000_000;
  fetched = 0;
  fetchToken.mockReset();
  fetchToken.mockImplementation(async () => ({ token: `token ${++fetched}`, validMs: 7_200_000 }));
});
const cache = (over: Partial<TokenCacheOptions> = {}) => new TokenCache({ fetchToken, now: () => time, ...over });

it('fetches one token for many callers, and keeps it', async () => {
  const tokens = cache();
  const all = await Promise.all(Array.from({ length: 20 }, () => tokens.get()));
  expect(new Set(all)).toEqual(new Set(['token 1']));
  expect(await tokens.get()).toBe('token 1');
  expect(fetchToken).toHaveBeenCalledTimes(1);
});

it('fetches another one before it expires', async () => {
  const tokens = cache({ marginMs: 60_000 });
  await tokens.get();
  time += 7_200_000 - 60_001;
  expect(await tokens.get()).toBe('token 1');
  time += 1;
  expect(await tokens.get()).toBe('token 2');
});

it('uses a token that is valid for less than the margin for half of its time', async () => {
  fetchToken.mockImplementation(async () => ({ token: `token ${++fetched}`, validMs: 100 }));
  const tokens = cache();
  await tokens.get();
  time += 49;
  expect(await tokens.get()).toBe('token 1');
  time += 1;
  expect(await tokens.get()).toBe('token 2');
});

it('counts the validity from the request, however long the answer takes', async () => {
  fetchToken.mockImplementation(async () => {
    time += 1000;
    return { token: `token ${++fetched}`, validMs: 10_000 };
  });
  const tokens = cache({ marginMs: 0 });
  await tokens.get();
  time += 9000;
  expect(await tokens.get()).toBe('token 2');
});

it('replaces a token that the platform refused, once for all who report it', async () => {
  const tokens = cache();
  const refused = await tokens.get();
  tokens.invalidate(refused);
  tokens.invalidate(refused);
  expect(await Promise.all([tokens.get(), tokens.get()])).toEqual(['token 2', 'token 2']);
  // A caller whose call with the former one failed late.
  tokens.invalidate(refused);
  expect(await tokens.get()).toBe('token 2');
  expect(fetchToken).toHaveBeenCalledTimes(2);
});

it('gives all callers the error of a failure, and asks again after a pause', async () => {
  fetchToken.mockRejectedValueOnce(new Error('40001'));
  const tokens = cache({ pauseMs: 500 });
  const results = await Promise.allSettled([tokens.get(), tokens.get()]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  time += 499;
  await expect(tokens.get()).rejects.toThrow('40001');
  expect(fetchToken).toHaveBeenCalledTimes(1);
  time += 1;
  expect(await tokens.get()).toBe('token 1');
});

it('ends the waiting of one caller without that of the others', async () => {
  const answer = Promise.withResolvers<AccessToken>();
  fetchToken.mockReturnValue(answer.promise);
  const tokens = cache();
  const controller = new AbortController();
  const [impatient, patient] = [tokens.get(controller.signal), tokens.get()];
  controller.abort(new Error('The bot is stopped'));
  await expect(impatient).rejects.toThrow('The bot is stopped');
  answer.resolve({ token: 'token', validMs: 1000 });
  expect(await patient).toBe('token');
  await expect(tokens.get(controller.signal)).rejects.toThrow('The bot is stopped');
});
