import { Address, Secret } from '@parley/sdk';
import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { SecretBox } from '../../lib/secret-box.ts';
import { newUuid } from '../../lib/uuid.ts';
import { telegram } from '../../platforms/telegram/index.ts';
import { acceptAdapterConfig, correctedConfig } from './adapter-config.ts';

const platform = {
  ...telegram,
  config: Type.Object({
    port: Type.Integer({ default: 2280, maximum: 65_535 }),
    ratio: Type.Number({ default: 1 }),
    card: Type.Boolean({ default: true }),
    layout: Type.Boolean({ default: false }),
    token: Secret({ default: '' }),
    server: Address({ default: 'https://example.com' }),
    mode: Type.Enum(['true', 'false'], { default: 'true' }),
    ports: Type.Array(Type.Integer(), { default: [] }),
    limits: Type.Object({ strict: Type.Boolean({ default: false }) }, { default: {} }),
  }),
  config_aliases: { 'card_ auto_layout': 'layout', old_server: 'server' },
};

const accept = (given: Record<string, unknown>) =>
  acceptAdapterConfig(platform, given, { uuid: newUuid(), secrets: new SecretBox(Buffer.alloc(32)), stored: null });

describe('configurations that the reference system saved', () => {
  it('are stored with numbers and booleans that were saved as texts, at any depth', () => {
    const given = {
      port: '2280',
      ratio: ' 0.5 ',
      card: 'False',
      token: '12345678901234567890',
      mode: 'true',
      ports: ['1', 2],
      limits: { strict: 'true' },
    };
    const before = structuredClone(given);
    expect(accept(given).adapter_config).toEqual({
      port: 2280,
      ratio: 0.5,
      card: false,
      layout: false,
      token: '123…7890',
      server: 'https://example.com',
      mode: 'true',
      ports: [1, 2],
      limits: { strict: true },
    });
    expect(given).toEqual(before);
  });

  it.each([
    ['port', '2280x'],
    ['port', ''],
    ['port', '1.5'],
    ['port', '70000'],
    ['port', '1e999'],
    ['ratio', 'NaN'],
    ['ratio', '0x10'],
    ['card', 'maybe'],
    ['card', 1],
    ['card', 'constructor'],
  ])('are refused where %s is %j', (field, value) => {
    expect(() => accept({ [field]: value })).toThrow(expect.objectContaining({ reason: 'invalid_request' }));
  });

  it('are stored with the names of fields that the platform knows by another one', () => {
    const { adapter_config } = accept({
      'card_ auto_layout': 'true',
      webhook_url: 'https://x.example.com/bots/1',
      bot_account_id: 1,
    });
    expect(adapter_config).toMatchObject({ layout: true });
    expect(adapter_config).not.toHaveProperty('webhook_url');
    expect(adapter_config).not.toHaveProperty('bot_account_id');
    expect(adapter_config).not.toHaveProperty('card_ auto_layout');
  });

  it('keep the value of the right name where both are given', () => {
    expect(accept({ layout: false, 'card_ auto_layout': true }).adapter_config).toMatchObject({ layout: false });
  });

  it('show their addresses under the right name before these are decided on', () => {
    expect(correctedConfig(platform, { old_server: 'http://10.0.0.1' })).toEqual({ server: 'http://10.0.0.1' });
  });

  it.each(['WEBHOOK_URL'])('are refused with the field %s, which the platform does not know', (name) => {
    expect(() => accept({ [name]: 'x' })).toThrow(expect.objectContaining({ reason: 'invalid_request' }));
  });

  it('are accepted for Telegram', () => {
    const given = { token: '123:abc', markdown_card: 'true', 'enable-stream-reply': 'false', webhook_url: '' };
    const secrets = new SecretBox(Buffer.alloc(32));
    expect(acceptAdapterConfig(telegram, given, { uuid: newUuid(), secrets, stored: null }).adapter_config).toEqual({
      token: expect.any(String),
      proxy: '',
      markdown_card: true,
      'enable-stream-reply': false,
      'enable-webhook': false,
      api_base_url: 'https://api.telegram.org',
    });
  });
});
