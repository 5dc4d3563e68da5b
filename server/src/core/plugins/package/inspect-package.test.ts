import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  newSigningKey,
  type PackageChanges,
  packageFiles,
  pluginManifest,
  pluginPackage,
  signatureOf,
} from '../../../../test/factories/plugin-package.ts';
import { openPackage } from '../../../plugin-host/package/open-package.ts';
import { inspectPackage } from './inspect-package.ts';

const inspect = (changes: PackageChanges = {}) => inspectPackage(pluginPackage(changes), openPackage);
const refused = (path: string, message: RegExp, reason = 'plugin_invalid') =>
  expect.objectContaining({
    reason,
    details: expect.arrayContaining([expect.objectContaining({ path, message: expect.stringMatching(message) })]),
  });

// biome-ignore lint/suspicious/noExplicitAny: tests reach into manifests and make wrong ones
type Loose = any;
const changed = (change: (manifest: Loose) => void): object => {
  const manifest: Loose = pluginManifest();
  change(manifest);
  return manifest;
};

describe('a good package', () => {
  it('is described', async () => {
    const archive = pluginPackage();
    const inspected = await inspectPackage(archive, openPackage);
    const { permissions, ...rest } = inspected;
    expect(rest).toEqual({
      manifest: pluginManifest(),
      contributions: {
        tools: ['convert_units'],
        commands: ['convert'],
        listeners: ['received', 'answer'],
        parsers: ['example/units'],
        engines: ['example/units'],
        runners: ['units'],
        pages: ['units'],
        schedules: ['rates'],
      },
      signature: null,
      digest: createHash('sha256').update(archive).digest('hex'),
      size: archive.length,
      unpacked_size: [JSON.stringify(pluginManifest()), ...Object.values(packageFiles)].reduce(
        (sum, content) => sum + Buffer.byteLength(content),
        0,
      ),
      files: 4,
    });
    expect(permissions).toEqual([
      { kind: 'listeners', value: 'received', text: expect.stringMatching(/^Reads each message before/) },
      { kind: 'listeners', value: 'answer', text: expect.stringMatching(/not streamed\.$/) },
      { kind: 'tools', value: 'convert_units', text: expect.stringMatching(/all users/) },
      { kind: 'runners', value: '', text: expect.stringMatching(/runner/) },
      { kind: 'parsers', value: '', text: expect.stringMatching(/documents/) },
      { kind: 'engines', value: '', text: expect.stringMatching(/documents/) },
      { kind: 'schedules', value: '', text: 'Runs by itself on a schedule.' },
      { kind: 'fetch', value: 'api.example.com', text: 'Sends HTTP requests to api.example.com.' },
      {
        kind: 'fetch',
        value: '*.rates.example.com:8443',
        text: 'Sends HTTP requests to all hosts below rates.example.com:8443.',
      },
      {
        kind: 'fetch_setting',
        value: 'server',
        text: 'Sends HTTP requests to the address in its setting "Rate server".',
      },
      { kind: 'storage', value: '', text: expect.stringMatching(/10 MB/) },
      { kind: 'reply', value: '', text: 'Replies to messages.' },
      { kind: 'send', value: '', text: expect.stringMatching(/that you choose/) },
      { kind: 'files', value: '', text: 'Reads the files of messages.' },
      { kind: 'models', value: 'generate', text: expect.stringMatching(/language models/) },
      { kind: 'models', value: 'embed', text: expect.stringMatching(/embedding models/) },
      { kind: 'knowledge', value: 'pipeline', text: expect.stringMatching(/of the pipelines/) },
      { kind: 'knowledge', value: 'chosen', text: expect.stringMatching(/that you choose/) },
      { kind: 'conversation', value: 'read', text: expect.stringMatching(/^Reads/) },
      { kind: 'conversation', value: 'reset', text: expect.stringMatching(/^Resets/) },
    ]);
  });

  it('needs little', async () => {
    const { contributes, permissions, settings, limits, ...rest } = pluginManifest();
    const { manifest, permissions: described } = await inspect({
      manifest: { ...rest, contributes: { commands: contributes.commands } },
    });
    expect(manifest.permissions).toBeUndefined();
    expect(described).toEqual([]);
  });

  it('may reach every public address, which its description says', async () => {
    const { permissions } = await inspect({ manifest: changed(({ permissions }) => permissions.fetch.push('*')) });
    expect(permissions.map(({ text }) => text)).toContain('Sends HTTP requests to any public address.');
  });

  it('may have WebAssembly, and texts that begin like programs', async () => {
    const files = { ...packageFiles, 'a.wasm': Buffer.from('0061736d01000000', 'hex'), 'b.txt': `MZ${' '.repeat(80)}` };
    expect((await inspect({ files })).files).toBe(6);
  });
});

describe('a signature', () => {
  const key = newSigningKey();
  const manifest = JSON.stringify(pluginManifest());
  const signature: Loose = JSON.parse(signatureOf(manifest, key));

  it('is verified, and named by its key', async () => {
    const publicKey = Buffer.from(signature.public_key, 'base64');
    expect(publicKey).toHaveLength(32);
    expect((await inspect({ signature: key })).signature).toEqual({
      algorithm: 'ed25519',
      public_key: signature.public_key,
      fingerprint: createHash('sha256').update(publicKey).digest('hex'),
    });
  });

  it('is of the exact bytes of the manifest', async () => {
    await expect(inspect({ manifest: `${manifest}\n`, signature: JSON.stringify(signature) })).rejects.toEqual(
      refused('parley-plugin.sig', /not the signature/),
    );
  });

  it.each([0x00, 0x80])('of a key with which everybody can sign is refused, case %#', async (sign) => {
    const key = Buffer.alloc(32);
    key[0] = 1;
    const forged = Buffer.concat([key, Buffer.alloc(32)]);
    // By the equation alone, it is valid for every message. Node.js refuses the key.
    key[31] = sign;
    const text = { algorithm: 'ed25519', public_key: key.toString('base64'), signature: forged.toString('base64') };
    await expect(inspect({ signature: JSON.stringify(text) })).rejects.toEqual(
      refused('parley-plugin.sig', /not the signature/),
    );
  });

  const otherBits = (text: string, at: number) => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    const character = alphabet[alphabet.indexOf(text[at] ?? '') ^ 1] ?? '';
    return text.slice(0, at) + character + text.slice(at + 1);
  };
  it.each<[string, string, RegExp]>([
    ['of another key', JSON.stringify({ ...signature, public_key: otherPublicKey() }), /not the signature/],
    [
      'of no key',
      JSON.stringify({ ...signature, public_key: Buffer.alloc(32, 0xff).toString('base64') }),
      /not the sig/,
    ],
    ['changed', JSON.stringify({ ...signature, signature: otherBits(signature.signature, 3) }), /not the signature/],
    ['with spare bits', JSON.stringify({ ...signature, signature: otherBits(signature.signature, 85) }), /not the sig/],
    ['of another algorithm', JSON.stringify({ ...signature, algorithm: 'none' }), /must have algorithm/],
    ['too short', JSON.stringify({ ...signature, signature: 'AAAA' }), /must have algorithm/],
    ['with more fields', JSON.stringify({ ...signature, expires: 1 }), /must have algorithm/],
    ['not JSON', 'untrusted comment', /not JSON/],
    ['null', 'null', /must have algorithm/],
    ['too large', JSON.stringify(signature).padEnd(1025), /more than 1024/],
  ])('is refused when it is %s', async (_, text, message) => {
    await expect(inspect({ signature: text })).rejects.toEqual(refused('parley-plugin.sig', message));
  });

  function otherPublicKey(): string {
    return JSON.parse(signatureOf('', newSigningKey())).public_key;
  }
});

describe('the files of a package', () => {
  const program = (start: string) => Buffer.from(start.padEnd(160, '0'), 'hex');
  const portable = Buffer.alloc(200);
  portable.write('MZ', 0);
  portable.writeUInt32LE(128, 60);
  portable.write('PE\0\0', 128);

  it.each<[string, PackageChanges, string, RegExp]>([
    [
      'have no manifest',
      { manifest: '{}', entries: { 'parley-plugin.json': { path: 'manifest.json' } } },
      'parley-plugin.json',
      /missing/,
    ],
    ['are in no manifest', { more: [{ path: 'extra.js' }] }, 'extra.js', /not in the manifest/],
    [
      'are missing',
      {
        manifest: changed(({ files }) => {
          files['lost.js'] = '0'.repeat(64);
        }),
      },
      'lost.js',
      /not in the package/,
    ],
    ['differ from their hash', { entries: { 'main.js': { content: 'changed' } } }, 'main.js', /SHA-256/],
    ['are native by name', { files: { ...packageFiles, 'addon.node': 'x' } }, 'addon.node', /native code/],
    ['are libraries by name', { files: { ...packageFiles, 'lib.so.1.2': 'x' } }, 'lib.so.1.2', /native code/],
    ['are ELF', { files: { ...packageFiles, 'data.bin': program('7f454c46') } }, 'data.bin', /ELF/],
    ['are Mach-O', { files: { ...packageFiles, 'data.bin': program('cffaedfe') } }, 'data.bin', /Mach-O/],
    ['are fat Mach-O', { files: { ...packageFiles, 'data.bin': program('cafebabe') } }, 'data.bin', /Mach-O/],
    ['are PE', { files: { ...packageFiles, 'data.bin': portable } }, 'data.bin', /PE/],
    [
      'are too large a manifest',
      { manifest: JSON.stringify(pluginManifest()).padEnd(262_145) },
      'parley-plugin.json',
      /more than 262144/,
    ],
    ['lie below the manifest', { more: [{ path: 'parley-plugin.json/a' }] }, 'parley-plugin.json/a', /both a file/],
  ])('are refused when they %s', async (_, changes, path, message) => {
    await expect(inspect(changes)).rejects.toEqual(refused(path, message));
  });

  it('are too large as a whole', async () => {
    await expect(inspectPackage(Buffer.alloc(10 * 1024 * 1024 + 1), openPackage)).rejects.toEqual(
      refused('', /has more than/),
    );
  });
});
