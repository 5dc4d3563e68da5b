import { ParleyError, type Platform, Secret } from '@parley/sdk';
import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { builtInSchema, completeConfig } from '../../../test/factories/pipeline-schema.ts';
import { recordingPlatform } from '../../../test/stores/ledger-fixture.ts';
import { Registry } from '../../lib/registry.ts';
import { extractSecrets } from '../secrets/secret-fields.ts';
import { AuditedRecords } from './audited-records.ts';

const platform = {
  ...recordingPlatform(),
  config: Type.Object({ token: Secret(), greeting: Type.String(), inner: Type.Object({ key: Secret() }) }),
};
const records = new AuditedRecords(
  {
    provider: async (id) => {
      if (id === 'gone') throw new ParleyError('not_found', 'provider not found');
      if (id === 'broken') throw new Error('the database is away');
      return { uuid: id };
    },
  },
  { platforms: new Registry<Platform>([platform]), pipelineSchema: builtInSchema },
);

describe('reading a record for the audit log', () => {
  it('returns the record as a read shows it, or null', async () => {
    expect(await records.read('provider', 'one')).toEqual({ uuid: 'one' });
    expect(await records.read('provider', 'gone')).toBeNull();
    expect(await records.read('provider', '')).toBeNull();
    expect(await records.read('session', 'one')).toBeNull();
    expect(await records.read('constructor', 'one')).toBeNull();
    await expect(records.read('provider', 'broken')).rejects.toThrow('the database is away');
  });
});

describe('the record of a change', () => {
  it('is what differs, by path, without what changes by itself', () => {
    const before = {
      name: 'a',
      list: [1, 2],
      same: { x: 1 },
      deep: { one: { two: 1, three: 3 } },
      gone: true,
      updated_at: '1',
      adapter_runtime_values: { state: 'running' },
    };
    const after = {
      name: 'b',
      list: [1, 3],
      same: { x: 1 },
      deep: { one: { two: 2, three: 3 } },
      fresh: null,
      updated_at: '2',
      adapter_runtime_values: { state: 'stopped' },
    };
    const { changed, ...entry } = records.describe('webhook', before, after);
    expect(changed.sort()).toEqual(['deep.one.two', 'fresh', 'gone', 'list', 'name']);
    expect(Object.keys(entry.before ?? {})).not.toContain('updated_at');
    expect(Object.keys(entry.after ?? {})).not.toContain('adapter_runtime_values');
  });

  it('is the record alone when it was made or deleted', () => {
    expect(records.describe('webhook', null, { name: 'a' })).toEqual({
      changed: [],
      before: null,
      after: { name: 'a' },
    });
    expect(records.describe('webhook', { name: 'a' }, null)).toEqual({
      changed: [],
      before: { name: 'a' },
      after: null,
    });
    expect(records.describe('file', null, null)).toEqual({ changed: [], before: null, after: null });
  });

  it('records that a key was replaced, and neither key', () => {
    const described = records.describe(
      'provider',
      { name: 'p', api_keys: ['sk-…aaaa', 'sk-…bbbb'] },
      { name: 'p', api_keys: ['sk-…cccc'] },
    );
    expect(described).toEqual({
      changed: ['api_keys'],
      before: { name: 'p', api_keys: ['(secret)', '(secret)'] },
      after: { name: 'p', api_keys: ['(secret)'] },
    });
    expect(records.describe('api-key', null, { key: 'lbk…wxyz', name: 'k' }).after).toEqual({
      key: '(secret)',
      name: 'k',
    });
  });

  it('hides the secrets of a pipeline, but not texts of users that look like masks', () => {
    const complete = completeConfig({
      ai: {
        'dify-service-api': { 'api-key': 'app-0123456789abcdefwxyz' },
        'local-agent': { prompt: [{ role: 'system', content: 'Wait… then answer' }] },
      },
    });
    const [config] = extractSecrets(builtInSchema.schema, complete);
    expect(JSON.stringify(config)).toContain('app…wxyz');
    const { after } = records.describe('pipeline', null, { name: 'Well…', config });
    const text = JSON.stringify(after);
    expect(text).not.toContain('wxyz');
    expect(text).toContain('(secret)');
    expect(text).toContain('Wait… then answer');
    expect(after?.name).toBe('Well…');
  });

  it('hides the secrets of a bot', () => {
    const adapter_config = { token: '123…wxyz', greeting: 'Hello…', inner: { key: '…' } };
    const bot = { adapter: platform.name, adapter_config };
    const { changed, before, after } = records.describe('bot', bot, {
      ...bot,
      adapter_config: { ...adapter_config, token: '456…wxyz' },
    });
    expect(changed).toEqual(['adapter_config.token']);
    const hidden = { token: '(secret)', greeting: 'Hello…', inner: { key: '(secret)' } };
    expect(before).toEqual({ adapter: platform.name, adapter_config: hidden });
    expect(after).toEqual(before);
  });

  it('hides whatever looks like a secret of an adapter that is not installed', () => {
    const adapter_config = { token: '123…wxyz', list: ['…', 'plain'], port: 7, inner: { key: 'a…b', none: null } };
    const { after } = records.describe('bot', null, { adapter: 'unknown', adapter_config });
    expect(after?.adapter_config).toEqual({
      token: '(secret)',
      list: ['(secret)', 'plain'],
      port: 7,
      inner: { key: '(secret)', none: null },
    });
  });

  it('hides the secrets of a knowledge base and of its collections', () => {
    const settings = { api_key: 'abc…wxyz', url: 'https://example.com' };
    const hidden = { api_key: '(secret)', url: 'https://example.com' };
    const base = { name: 'Well…', creation_settings: settings, retrieval_settings: settings, chunk_count: 1 };
    expect(records.describe('knowledge-base', null, base).after).toEqual({
      name: 'Well…',
      creation_settings: hidden,
      retrieval_settings: hidden,
    });
    expect(records.describe('collection', { state: 'active', creation_settings: settings }, null).before).toEqual({
      state: 'active',
      creation_settings: hidden,
    });
  });

  it('is bounded', () => {
    const { changed, before, after } = records.describe('webhook', { text: 'short' }, { text: 'x'.repeat(300_000) });
    expect(changed).toEqual(['text']);
    expect(before).toEqual({ text: 'short' });
    expect(after).toEqual({ omitted: expect.any(String) });
  });
});
