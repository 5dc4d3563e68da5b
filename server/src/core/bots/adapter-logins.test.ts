import { Address, type LoginStep, ParleyError, type Platform, Secret } from '@parley/sdk';
import Type from 'typebox';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createFakePlatform } from '../../../test/factories/fake-platform.ts';
import { AdapterLogins, type AdapterLoginsOptions } from './adapter-logins.ts';

const secret = 'a secret of some length';
const platform: Platform = {
  ...createFakePlatform().platform,
  config: Type.Object({
    app: Type.String({ default: '' }),
    key: Secret({ default: '' }),
    server: Address({ default: 'https://example.com' }),
  }),
};
const defaults = { app: '', key: '', server: 'https://example.com' };
const waiting: LoginStep = { state: 'waiting', url: 'https://example.com/q', expires_at: '2030-01-01T00:00:00.000Z' };
const done: LoginStep = {
  state: 'done',
  config: { app: 'app-1', key: secret, unknown: secret },
  account: { id: '5', name: '@parrot' },
};

const open: AdapterLogins[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const logins of open.splice(0)) logins.close();
});

/** Sign-ins, and a way to say what happens in the one that was started last. */
function set(options: AdapterLoginsOptions = {}) {
  const logins = new AdapterLogins(options);
  open.push(logins);
  let next = Promise.withResolvers<LoginStep | Error | null>();
  const state = { signal: null as AbortSignal | null, isReturned: false };
  const steps = async (signal: AbortSignal): Promise<AsyncIterable<LoginStep>> => {
    state.signal = signal;
    return {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          const step = await next.promise;
          next = Promise.withResolvers();
          if (step instanceof Error) throw step;
          return step === null ? { done: true, value: undefined } : { done: false, value: step };
        },
        return: async () => {
          state.isReturned = true;
          return { done: true, value: undefined };
        },
      }),
    };
  };
  const start = () => logins.start(platform, defaults, steps);
  const say = async (step: LoginStep | Error | null, id: string, wanted: string) => {
    next.resolve(step);
    await expect.poll(() => logins.get('fake', id).state).toBe(wanted);
    return logins.get('fake', id);
  };
  return { logins, start, say, state };
}

describe('a sign-in with a platform', () => {
  it('goes from step to step, and never tells its secrets', async () => {
    const { start, say, state, logins } = set();
    const { id, ...first } = start();
    expect(first).toMatchObject({ state: 'starting', url: null });
    expect(await say(waiting, id, 'waiting')).toMatchObject({ url: waiting.url, expires_at: waiting.expires_at });
    expect(await say({ state: 'confirming' }, id, 'confirming')).toMatchObject({ url: null });
    const end = await say(done, id, 'done');
    expect(end).toMatchObject({ account_id: '5', account_name: '@parrot' });
    expect(end.adapter_config).toEqual({ app: 'app-1', key: 'a s…ngth' });
    expect(JSON.stringify([end, logins.get('fake', id)])).not.toContain(secret);
    expect(state.isReturned).toBe(true);
  });

  it('gives its secrets to one bot, in the place of their masks', async () => {
    const { start, say, logins } = set();
    const { id } = start();
    const { adapter_config } = await say(done, id, 'done');
    const config = { ...defaults, ...adapter_config };
    expect(logins.filled('fake', id, config)).toEqual({ ...config, key: secret });
    await expect(logins.use(id, () => Promise.reject(new Error('name is missing')))).rejects.toThrow('name is missing');
    let isTakenMeanwhile = false;
    await logins.use(id, async () => {
      expect(() => logins.filled('fake', id, config)).toThrow(ParleyError);
      await expect(logins.use(id, async () => 'second')).rejects.toMatchObject({ reason: 'invalid_request' });
      isTakenMeanwhile = true;
    });
    expect(isTakenMeanwhile).toBe(true);
    expect(() => logins.filled('fake', id, config)).toThrow(expect.objectContaining({ reason: 'invalid_request' }));
    expect(() => logins.get('fake', id)).toThrow(expect.objectContaining({ reason: 'not_found' }));
  });

  it('gives them neither to another platform, nor for another mask, nor to another address', async () => {
    const { start, say, logins } = set();
    const { id } = start();
    await say(waiting, id, 'waiting');
    expect(() => logins.filled('fake', id, defaults)).toThrow(expect.objectContaining({ reason: 'invalid_request' }));
    await say(done, id, 'done');
    expect(() => logins.filled('other', id, defaults)).toThrow(ParleyError);
    expect(() => logins.get('other', id)).toThrow(expect.objectContaining({ reason: 'not_found' }));
    const masked = { ...defaults, key: 'a s…ngth' };
    expect(logins.filled('fake', id, { ...masked, key: 'abc…wxyz' })).toMatchObject({ key: 'abc…wxyz' });
    const elsewhere = { ...masked, server: 'https://elsewhere.example.com' };
    expect(logins.filled('fake', id, elsewhere)).toEqual(elsewhere);
  });

  it.each<[string, LoginStep | Error | null, string, string | null]>([
    ['expires', { state: 'expired' }, 'expired', null],
    ['is refused', { state: 'refused', message: 'No' }, 'refused', 'No'],
    ['fails', new ParleyError('platform_failed', 'Down'), 'refused', 'Down'],
    ['fails unexpectedly', new Error(secret), 'refused', 'The sign-in failed unexpectedly'],
    ['ends early', null, 'refused', 'The platform ended the sign-in without a result'],
    [
      'has a huge link',
      { ...waiting, url: 'x'.repeat(4097) } as LoginStep,
      'refused',
      'The link of the platform is too long',
    ],
  ])('says so when it %s', async (_, step, state, message) => {
    const { start, say } = set();
    expect(await say(step, start().id, state)).toMatchObject({ message, adapter_config: null });
  });

  it('ends when it is cancelled, also one that does not listen', async () => {
    const { start, say, logins, state } = set();
    const { id } = start();
    await say(waiting, id, 'waiting');
    logins.cancel('fake', id);
    expect(state.signal?.aborted).toBe(true);
    await expect.poll(() => state.isReturned).toBe(true);
    expect(() => logins.get('fake', id)).toThrow(expect.objectContaining({ reason: 'not_found' }));
    expect(() => logins.cancel('fake', id)).toThrow(expect.objectContaining({ reason: 'not_found' }));
  });

  it('is forgotten after its lifetime, with its result', async () => {
    const { start, say, logins, state } = set({ lifetimeMs: 500 });
    const { id } = start();
    const { adapter_config } = await say(done, id, 'done');
    await expect.poll(() => state.signal?.aborted).toBe(true);
    expect(() => logins.filled('fake', id, { ...defaults, ...adapter_config })).toThrow(ParleyError);
  });

  it('is refused when there are too many; those that ended without a result make room', async () => {
    const { start, say, logins } = set({ maximum: 2 });
    const kept = start().id;
    await say(done, kept, 'done');
    const last = start().id;
    expect(start).toThrow(expect.objectContaining({ reason: 'too_many_requests' }));
    await say({ state: 'expired' }, last, 'expired');
    start();
    expect(logins.get('fake', kept)).toMatchObject({ state: 'done' });
    expect(start).toThrow(ParleyError);
  });
});
