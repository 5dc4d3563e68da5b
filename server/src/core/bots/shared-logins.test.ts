import { type Platform, Secret } from '@parley/sdk';
import Type from 'typebox';
import { expect, it } from 'vitest';
import { createFakePlatform } from '../../../test/factories/fake-platform.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import { CallHandlers } from '../replicas/peer-calls.ts';
import { AdapterLogins } from './adapter-logins.ts';
import { SharedLogins } from './shared-logins.ts';

const secret = 'a secret of some length';
const platform: Platform = {
  ...createFakePlatform().platform,
  config: Type.Object({ app: Type.String({ default: '' }), key: Secret({ default: '' }) }),
};
const principal = { kind: 'user' as const, id: 'ada' };

/** Two replicas, and everything that one sends to the other. */
function pair() {
  const wire: string[] = [];
  const handlers = new Map<string, CallHandlers>();
  const replica = (own: string, other: string) => {
    const logins = new SharedLogins(new AdapterLogins(), {
      replica: () => own,
      others: { has: (id) => id === other },
      secrets: new SecretBox(Buffer.alloc(32, 1)),
      platform: (name) => (name === platform.name ? platform : undefined),
      calls: {
        call: async (to, name, payload, options) => {
          const given = JSON.parse(JSON.stringify(payload)) as unknown;
          const handle = handlers.get(to)?.find(name, given);
          const answer = await handle?.({
            from: own,
            principal: options.principal,
            signal: new AbortController().signal,
          });
          wire.push(JSON.stringify([name, given, answer ?? null]));
          return JSON.parse(JSON.stringify(answer ?? null));
        },
      },
    });
    const answering = new CallHandlers();
    logins.answer(answering);
    handlers.set(own, answering);
    return logins;
  };
  const [one, two] = [replica('one', 'two'), replica('two', 'one')];
  const { id } = one.start(platform, { app: '', key: '' }, async () => steps());
  return { one, two, id, wire };
}

async function* steps() {
  yield { state: 'done' as const, config: { app: 'app-1', key: secret }, account: null };
}

it('a result is used once by any replica, and its secrets cross sealed', async () => {
  const { one, two, id, wire } = pair();
  await expect.poll(async () => (await two.get('fake', id, principal)).state).toBe('done');
  const { adapter_config } = await two.get('fake', id, principal);
  expect(await two.filled('fake', id, { ...adapter_config })).toEqual({ app: 'app-1', key: secret });
  await expect(two.use(id, () => Promise.reject(new Error('name is missing')))).rejects.toThrow('name is missing');
  const used = await two.use(id, async () => {
    await expect(one.filled('fake', id, { ...adapter_config })).rejects.toMatchObject({ reason: 'invalid_request' });
    await expect(one.use(id, async () => null)).rejects.toMatchObject({ reason: 'invalid_request' });
    return 'stored';
  });
  expect(used).toBe('stored');
  for (const logins of [one, two]) {
    await expect(logins.get('fake', id, principal)).rejects.toMatchObject({ reason: 'not_found' });
  }
  expect(wire.length).toBeGreaterThan(5);
  expect(wire.join()).not.toContain(secret);
});

it('a sign-in of a replica that has ended is not known', async () => {
  const { two, id } = pair();
  const gone = id.replace('one', 'three');
  await expect(two.get('fake', gone, principal)).rejects.toMatchObject({ reason: 'not_found' });
  await expect(two.cancel('fake', gone, principal)).rejects.toMatchObject({ reason: 'not_found' });
  await expect(two.filled('fake', gone, {})).rejects.toMatchObject({ reason: 'invalid_request' });
  await expect(two.use(gone, async () => null)).rejects.toMatchObject({ reason: 'invalid_request' });
});
