import { Address, ParleyError, Secret } from '@parley/sdk';
import fc from 'fast-check';
import Type, { type Static } from 'typebox';
import { describe, expect, it } from 'vitest';
import { SecretBox } from '../../lib/secret-box.ts';
import {
  extractSecrets,
  openConfig,
  openSecrets,
  replaceSecrets,
  restoreSecrets,
  type StoredSecrets,
  sealSecrets,
} from './secret-fields.ts';

const schema = Type.Object({
  service: Type.Object({
    url: Address({ default: 'https://api.example.com/v1' }),
    key: Secret({ default: 'your-api-key' }),
    other: Secret(),
    model: Type.String(),
  }),
  deep: Type.Object({ host: Address(), inner: Type.Object({ token: Secret(), port: Type.Integer() }) }),
  plain: Secret(),
});
type Value = Static<typeof schema>;

const clear: Value = {
  service: { url: 'https://api.example.com/v1', key: 'key-0123456789abcdef', other: 'short', model: 'm' },
  deep: { host: 'bot.example.com', inner: { token: 'token-0123456789abcdef', port: 1 } },
  plain: 'plain-0123456789abcdef',
};

function stored(): { config: Value; secrets: Record<string, string> } {
  const [config, secrets] = extractSecrets(schema, clear);
  return { config, secrets };
}

/** The result of a read, with a change, as a client sends it back. */
function sentBack(change: (value: Value) => void): Value {
  const value = structuredClone(stored().config);
  change(value);
  return value;
}

/** Paths of the faults; empty when there are none. */
function faultsOf(value: Value, before: StoredSecrets | null = stored(), place = ''): string[] {
  try {
    replaceSecrets(schema, value, before, place);
    return [];
  } catch (error) {
    if (!(error instanceof ParleyError) || error.reason !== 'secret_required') throw error;
    return (error.details ?? []).map(({ path }) => path);
  }
}

const keyAndOther = ['service.key', 'service.other'];

describe('a configuration that replaces a stored one', () => {
  it('keeps every secret whose mask comes back', () => {
    const value = sentBack((config) => {
      config.service.model = 'another';
      config.deep.inner.port = 2;
    });
    const before = structuredClone(value);
    const [masked, secrets] = replaceSecrets(schema, value, stored());
    expect(value).toEqual(before);
    expect(masked).toEqual(before);
    expect(secrets).toEqual(stored().secrets);
    expect(restoreSecrets(schema, masked, secrets).service.key).toBe(clear.service.key);
  });

  it('takes new secrets, and loses those that are emptied or set back to the placeholder', () => {
    const value = sentBack((config) => {
      config.service.key = 'your-api-key';
      config.service.other = '';
      config.plain = 'plain-fedcba9876543210';
    });
    const [masked, secrets] = replaceSecrets(schema, value, stored());
    expect(secrets).toEqual({ 'deep.inner.token': clear.deep.inner.token, plain: 'plain-fedcba9876543210' });
    expect(masked).toMatchObject({ plain: 'pla…3210', service: { key: 'your-api-key', other: '' } });
  });

  it.each([
    ['another path', 'https://api.example.com/v2/other?query=1'],
    ['the port that the scheme means', 'https://api.example.com:443/v1'],
    ['capitals', 'HTTPS://API.Example.COM/v1'],
    ['spaces around it', ' https://api.example.com/v1 '],
    ['a user name before the same host', 'https://user@api.example.com/v1'],
  ])('keeps them when the address has %s', (_, url) => {
    expect(faultsOf(sentBack((config) => Object.assign(config.service, { url })))).toEqual([]);
  });

  it.each([
    ['another host', 'https://evil.example.com/v1'],
    ['another scheme', 'http://api.example.com/v1'],
    ['another port', 'https://api.example.com:444/v1'],
    ['the host as a user name', 'https://api.example.com@evil.example/v1'],
    ['the host as a password', 'https://a:api.example.com@evil.example/v1'],
    ['the host before a backslash', 'https://evil.example\\@api.example.com/v1'],
    ['the host as a label of another', 'https://api.example.com.evil.example/v1'],
    ['a host that looks alike', 'https://аpi.example.com/v1'],
    ['no scheme', 'api.example.com/v1'],
    ['no address', ''],
  ])('requires the secrets again when the address has %s, but no secret elsewhere', (_, url) => {
    expect(faultsOf(sentBack((config) => Object.assign(config.service, { url })))).toEqual(keyAndOther);
  });

  it('accepts full secrets with a new address', () => {
    const value = sentBack((config) => {
      config.service.url = 'https://other.example.com';
      config.service.key = 'key-new-0123456789abc';
      config.service.other = '';
    });
    expect(replaceSecrets(schema, value, stored())[1]).toMatchObject({ 'service.key': 'key-new-0123456789abc' });
  });

  it('compares addresses without a host as texts', () => {
    const hosts = ['bot.example.com:80', 'bot.example.com:81', 'bot.example.org', ' bot.example.com'];
    for (const host of hosts) {
      expect(faultsOf(sentBack((config) => Object.assign(config.deep, { host })))).toEqual(['deep.inner.token']);
    }
    const withPort = (host: string) => ({ ...clear, deep: { ...clear.deep, host } });
    const [config, secrets] = extractSecrets(schema, withPort('localhost:3000'));
    expect(faultsOf({ ...config, deep: { ...config.deep, host: 'localhost:3000' } }, { config, secrets })).toEqual([]);
    expect(faultsOf({ ...config, deep: { ...config.deep, host: 'localhost:3001' } }, { config, secrets })).toEqual([
      'deep.inner.token',
    ]);
  });

  it('treats an omitted address as the default one', () => {
    const without = sentBack((config) => Reflect.deleteProperty(config.service, 'url'));
    expect(faultsOf(without)).toEqual([]);
    const { secrets } = stored();
    expect(
      faultsOf(
        sentBack(() => undefined),
        { config: without, secrets },
      ),
    ).toEqual([]);
    const elsewhere = sentBack((config) => Object.assign(config.service, { url: 'https://other.example.com' }));
    expect(faultsOf(without, { config: elsewhere, secrets })).toEqual(keyAndOther);
  });

  it('requires a secret whose mask differs or has moved', () => {
    expect(faultsOf(sentBack((config) => Object.assign(config, { plain: 'pla…0000' })))).toEqual(['plain']);
    expect(faultsOf(sentBack((config) => Object.assign(config, { plain: config.service.key })))).toEqual(['plain']);
    expect(faultsOf(sentBack((config) => Object.assign(config.deep.inner, { token: '…' })))).toEqual([
      'deep.inner.token',
    ]);
  });

  it('requires every masked secret when nothing is stored, and names the path of each', () => {
    const all = ['service.key', 'service.other', 'deep.inner.token', 'plain'];
    const value = sentBack(() => undefined);
    expect(faultsOf(value, null)).toEqual(all);
    expect(faultsOf(value, { config: {}, secrets: {} })).toEqual(all);
    // A mask alone, or a secret without its mask, is not enough.
    expect(faultsOf(value, { config: stored().config, secrets: {} })).toEqual(all);
    expect(faultsOf(value, { config: {}, secrets: stored().secrets })).toEqual(all);
    expect(faultsOf(value, null, 'config')).toEqual(all.map((path) => `config.${path}`));
    expect(() => replaceSecrets(schema, value, null, 'config')).toThrow(
      expect.objectContaining({ message: 'config.service.key: is masked; send the full secret' }),
    );
  });

  it('reads no secret from where all objects have something', () => {
    const inherited = Type.Object({ constructor: Secret(), toString: Secret() });
    const value = { constructor: '…', toString: '…' };
    expect(() => replaceSecrets(inherited, value, { config: {}, secrets: {} })).toThrow(
      expect.objectContaining({ reason: 'secret_required' }),
    );
  });

  it('never gives a secret away to an address of another origin', () => {
    const part = (...values: string[]) => fc.constantFrom(...values);
    const address = fc.oneof(
      fc
        .tuple(
          part('https://', 'http://', ''),
          part('a@', ''),
          part('a.example', 'b.example'),
          part('', ':443', ':80', '/p'),
        )
        .map((parts) => parts.join('')),
      fc.string(),
    );
    fc.assert(
      fc.property(address, address, fc.string({ minLength: 16 }), (before, after, key) => {
        fc.pre(!key.includes('…'));
        const at = (url: string) => ({ ...clear, service: { ...clear.service, url, key } });
        const [config, secrets] = extractSecrets(schema, at(before));
        const back = { ...config, service: { ...config.service, url: after } };
        const isRetained = !faultsOf(back, { config, secrets }).includes('service.key');
        const origins = [before, after].map((url) => URL.parse(url)?.origin ?? null);
        if (isRetained) expect(before === after || (origins[0] !== null && origins[0] === origins[1])).toBe(true);
        else expect(before).not.toBe(after);
      }),
    );
  });
});

it('opens what it sealed, for the same record only', () => {
  const box = new SecretBox(Buffer.alloc(32, 1));
  const [masked, secrets] = extractSecrets(schema, clear);
  const sealed = sealSecrets(box, secrets, 'bot/1');
  expect(openSecrets(box, sealed, 'bot/1')).toEqual(secrets);
  expect(openConfig(box, schema, masked, sealed, 'bot/1')).toEqual(clear);
  expect(() => openSecrets(box, sealed, 'bot/2')).toThrow();
  expect(sealSecrets(box, {}, 'bot/1')).toBeNull();
  expect(openSecrets(box, null, 'bot/1')).toEqual({});
});
