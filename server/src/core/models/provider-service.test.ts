import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServices, openModelServices } from '../../../test/factories/model-services.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { UpdateProvider } from './provider.ts';

const key = 'sk-0123456789abcdefwxyz';
const second = 'sk-another-0123456789';

let services: ModelServices;
beforeEach(async () => {
  services = await openModelServices();
});
afterEach(() => services.close());

const remote = (over: object = {}) => ({
  name: 'Remote',
  requester: 'remote',
  base_url: 'https://a.example/v1',
  ...over,
});
const keysOf = async (uuid: string) => {
  const stored = await services.store.storedProvider(uuid);
  return stored === null ? null : services.providers.keys(stored);
};
const rows = async () => JSON.stringify(await services.storage.database.selectFrom('providers').selectAll().execute());

describe('a new provider', () => {
  it('keeps its keys sealed and shows masks', async () => {
    const uuid = await services.providers.create(remote({ api_keys: [' ', ` ${key}\n`, second] }));
    expect(await services.providers.get(uuid.toUpperCase())).toMatchObject({ api_keys: ['sk-…wxyz', 'sk-…6789'] });
    expect(await rows()).not.toContain(key);
    expect(await keysOf(uuid)).toEqual([key, second]);
  });

  it.each<[string, object, string, string]>([
    ['an unknown requester', { requester: 'unknown' }, 'requester', 'invalid_request'],
    ['an address that is none', { base_url: 'models' }, 'base_url', 'invalid_request'],
    ['an address of another kind', { base_url: 'file:///etc/passwd' }, 'base_url', 'invalid_request'],
    ['an address with a password', { base_url: 'https://a:b@a.example/v1' }, 'base_url', 'invalid_request'],
    ['no address where one is needed', { base_url: ' ' }, 'base_url', 'invalid_request'],
    ['a masked key', { api_keys: [key, 'sk-…wxyz'] }, 'api_keys[1]', 'secret_required'],
    ['a key that no header can carry', { api_keys: ['sk-é'] }, 'api_keys[0]', 'invalid_request'],
  ])('is not made with %s', async (_, over, path, reason) => {
    await expect(services.providers.create(remote(over))).rejects.toMatchObject({ reason, details: [{ path }] });
    expect(await services.providers.list()).toEqual([]);
  });

  it('is not found under unknown identifiers', async () => {
    for (const uuid of [newUuid(), '', 'no uuid']) {
      const unknown = { reason: 'not_found', message: 'provider not found' };
      await expect(services.providers.get(uuid)).rejects.toMatchObject(unknown);
      await expect(services.providers.update(uuid, {})).rejects.toMatchObject(unknown);
      await expect(services.providers.delete(uuid)).rejects.toMatchObject(unknown);
    }
  });
});

describe('a provider that is changed', () => {
  let uuid: string;
  beforeEach(async () => {
    uuid = await services.providers.create(remote({ api_keys: [key, second] }));
  });
  const update = (changes: UpdateProvider) => services.providers.update(uuid, changes);

  it('retains omitted fields', async () => {
    const before = await services.providers.get(uuid);
    await update({ name: 'Renamed' });
    const after = await services.providers.get(uuid);
    expect(after).toEqual({ ...before, name: 'Renamed', updated_at: expect.any(String) });
    expect(after.updated_at >= before.updated_at).toBe(true);
    await update({});
    expect(await keysOf(uuid)).toEqual([key, second]);
  });

  it('goes back as it was read', async () => {
    const { name, requester, base_url, api_keys } = await services.providers.get(uuid);
    await update({ name, requester, base_url, api_keys });
    expect(await keysOf(uuid)).toEqual([key, second]);
  });

  it.each<[string, UpdateProvider, string[]]>([
    ['a new key after a masked one', { api_keys: ['sk-…wxyz', 'brand-new'] }, [key, 'brand-new']],
    ['masks in another order', { api_keys: ['sk-…6789', 'sk-…wxyz'] }, [second, key]],
    ['one mask fewer', { api_keys: ['sk-…6789'] }, [second]],
    ['no keys', { api_keys: [] }, []],
    ['an emptied field', { api_keys: [''] }, []],
    ['another path of the same origin', { base_url: 'https://a.example/v2', api_keys: ['sk-…wxyz'] }, [key]],
    ['another path and no word of keys', { base_url: 'https://A.example:443/v2' }, [key, second]],
    ['another address with full keys', { base_url: 'https://b.example', api_keys: ['brand-new'] }, ['brand-new']],
    ['another requester with full keys', { requester: 'other', api_keys: ['brand-new'] }, ['brand-new']],
    ['another address without keys', { base_url: 'https://b.example', api_keys: [] }, []],
  ])('takes %s', async (_what, changes, keys) => {
    await update(changes);
    expect(await keysOf(uuid)).toEqual(keys);
    expect(await services.providers.get(uuid)).toMatchObject({
      ...changes,
      api_keys: keys.map(() => expect.any(String)),
    });
  });

  it.each<[string, UpdateProvider, string]>([
    ['another host', { base_url: 'https://thief.example/v1' }, 'api_keys'],
    ['another host and masks', { base_url: 'https://thief.example/v1', api_keys: ['sk-…wxyz'] }, 'api_keys[0]'],
    ['another port', { base_url: 'https://a.example:8443/v1' }, 'api_keys'],
    ['no encryption', { base_url: 'http://a.example/v1' }, 'api_keys'],
    ['another requester', { requester: 'other' }, 'api_keys'],
    ['another requester and masks', { requester: 'other', api_keys: ['new', 'sk-…wxyz'] }, 'api_keys[1]'],
    ['masks of unknown keys', { api_keys: ['sk-…0000'] }, 'api_keys[0]'],
    ['a mask more often than its key', { api_keys: ['sk-…wxyz', 'sk-…wxyz'] }, 'api_keys[1]'],
  ])('does not give its keys to %s', async (_what, changes, path) => {
    const before = await rows();
    await expect(update(changes)).rejects.toMatchObject({ reason: 'secret_required', details: [{ path }] });
    expect(await rows()).toBe(before);
  });

  it.each<[UpdateProvider, string]>([
    [{ requester: 'unknown', api_keys: [] }, 'requester'],
    [{ base_url: 'ftp://a.example', api_keys: [] }, 'base_url'],
    [{ base_url: '', api_keys: [] }, 'base_url'],
    [{ api_keys: ['sk-é'] }, 'api_keys[0]'],
  ])('refuses %j', async (changes, path) => {
    await expect(update(changes)).rejects.toMatchObject({ reason: 'invalid_request', details: [{ path }] });
    expect(await keysOf(uuid)).toEqual([key, second]);
  });

  it('may move without a word of keys when it has none', async () => {
    await update({ api_keys: [] });
    await update({ base_url: 'http://127.0.0.1:1234/v1', requester: 'other' });
    expect(await services.providers.get(uuid)).toMatchObject({ requester: 'other', api_keys: [] });
  });

  it('keeps a requester that knows its models', async () => {
    await services.models.rerank.create({ name: 'ranker', provider_uuid: uuid });
    await expect(update({ requester: 'chat', api_keys: [] })).rejects.toMatchObject({
      reason: 'invalid_request',
      details: [{ path: 'requester', message: 'the requester "chat" has no rerank models' }],
    });
    await update({ requester: 'other', api_keys: [] });
  });

  it('can be renamed while its requester is not installed', async () => {
    const { providers } = services.withRequesters([]);
    await providers.update(uuid, { name: 'Renamed', requester: 'remote', base_url: 'https://a.example/v1' });
    expect(await providers.get(uuid)).toMatchObject({ name: 'Renamed' });
    await expect(providers.update(uuid, { base_url: 'https://a.example/v2' })).rejects.toMatchObject({
      details: [{ path: 'requester' }],
    });
  });
});

describe('a provider that is deleted', () => {
  it('is gone, unless there are models of it', async () => {
    const uuid = await services.providers.create(remote({ api_keys: [key] }));
    const make = (kind: 'llm' | 'rerank', name: string) => services.models[kind].create({ name, provider_uuid: uuid });
    const [chat, ranker] = [await make('llm', 'chatter'), await make('rerank', 'ranker')];
    await expect(services.providers.delete(uuid)).rejects.toMatchObject({
      reason: 'in_use',
      message: 'Cannot delete provider: LLM models and rerank models still reference it',
      details: [
        { path: `models/${chat}`, message: 'chatter' },
        { path: `models/${ranker}`, message: 'ranker' },
      ],
    });
    await services.models.llm.delete(chat);
    await expect(services.providers.delete(uuid)).rejects.toThrow(
      'Cannot delete provider: rerank models still reference it',
    );
    await services.models.rerank.delete(ranker);
    await services.providers.delete(uuid.toUpperCase());
    await expect(services.providers.get(uuid)).rejects.toMatchObject({ reason: 'not_found' });
  });
});
