import { expect, it } from 'vitest';
import { configFields, describeSetting, environmentName } from './config.ts';
import { loadConfigWithSources } from './load-config.ts';
import { shownSettings } from './shown-settings.ts';

const environment = {
  PARLEY_DATABASE_URL: 'postgres://parley:hunter2@db.example.com/parley?password=hunter3',
  PARLEY_SECRET_KEY: '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
  PARLEY_SETUP_TOKEN: 'a token that is hard to guess',
  PARLEY_TRUSTED_PROXIES: 'loopback,10.0.0.0/8',
};
const { config, sources } = loadConfigWithSources({ environment, workingDirectory: '/nowhere' });
const settings = shownSettings(config, sources);
const setting = (name: string) => settings.find((one) => one.name === name);

it('shows every setting with its source', () => {
  expect(settings.map(({ variable }) => variable)).toEqual(configFields.map(environmentName));
  expect(setting('port')).toEqual({
    name: 'port',
    variable: 'PARLEY_PORT',
    label: { en_US: 'Port', zh_Hans: '端口', ja_JP: 'ポート' },
    description: {
      en_US: describeSetting('port').description,
      zh_Hans: expect.stringContaining('端口'),
      ja_JP: expect.stringContaining('ポート'),
    },
    unit: null,
    source: 'default',
    secret: false,
    is_set: true,
    value: 5300,
  });
  expect(setting('trusted_proxies')).toMatchObject({ source: 'environment', value: ['loopback', '10.0.0.0/8'] });
  expect(setting('public_url')).toMatchObject({ is_set: false, value: null });
  expect(setting('base_path')).toMatchObject({ is_set: false, value: '' });
  expect(setting('cors_origins')).toMatchObject({ is_set: false, value: [] });
});

it('names and explains every setting in three languages, each by a name of its own', () => {
  for (const language of ['en_US', 'zh_Hans', 'ja_JP'] as const) {
    for (const { name, label, description } of settings) {
      expect(label[language].trim(), name).not.toBe('');
      expect(description[language].trim().length, name).toBeGreaterThan(5);
    }
    expect(new Set(settings.map(({ label }) => label[language])).size).toBe(settings.length);
  }
  const japanese = /[\u3040-\u30ff\u4e00-\u9fff]/;
  expect(settings.filter(({ description }) => !japanese.test(description.ja_JP))).toEqual([]);
});

it('says the unit of a number', () => {
  expect(setting('token_lifetime_seconds')?.unit).toBe('seconds');
  expect(setting('max_open_body_megabytes')?.unit).toBe('megabytes');
  expect(setting('max_bots')?.unit).toBeNull();
});

it('says of a secret only whether it is set', () => {
  for (const name of ['database_url', 'secret_key', 'setup_token']) {
    expect(setting(name)).toMatchObject({ source: 'environment', secret: true, is_set: true, value: null });
  }
  const bare = loadConfigWithSources({ environment: {}, workingDirectory: '/nowhere' });
  expect(shownSettings(bare.config, bare.sources).find(({ name }) => name === 'secret_key')).toMatchObject({
    secret: true,
    is_set: false,
    value: null,
  });
  expect(JSON.stringify(settings)).not.toMatch(/hunter|0b0c0d|hard to guess|db\.example/);
});

it('counts settings without a source as defaults', () => {
  expect(new Set(shownSettings(config, {}).map(({ source }) => source))).toEqual(new Set(['default']));
});
