import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { PluginManifest } from '@parley/sdk';
import { type ZipSource, zipArchive } from './zip-archive.ts';

const main = 'export default { tools: { convert_units: ({ value }) => value * 1000 } };\n';
const page = '<!doctype html>\n<title>Units</title>\n';

/** The files of a good package, without its manifest. */
export const packageFiles: Readonly<Record<string, string | Buffer>> = {
  'main.js': main,
  'pages/units/index.html': page,
  'README.md': '# Units\n',
};

/** A manifest with an entry of every kind, for the given files. */
export function pluginManifest(files: Readonly<Record<string, string | Buffer>> = packageFiles): PluginManifest {
  const topK = { type: 'integer', default: 5, minimum: 1, maximum: 20 } as const;
  return {
    id: 'example/units',
    version: '1.2.0',
    sdk: '^0.1.0',
    label: { en_US: 'Unit converter', zh_Hans: '单位换算' },
    description: { en_US: 'Converts units of measurement.' },
    main: 'main.js',
    settings: {
      type: 'object',
      properties: {
        server: { type: 'string', default: '', 'x-address': true, 'x-label': { en_US: 'Rate server' } },
        key: { type: 'string', default: '', 'x-secret': true },
        system: { type: 'string', enum: ['metric', 'imperial'], default: 'metric' },
        units: {
          type: 'array',
          items: { type: 'string' },
          default: ['m', 'kg'],
          'x-show-if': { field: 'system', operator: 'eq', value: 'metric' },
        },
      },
    },
    contributes: {
      tools: [
        {
          name: 'convert_units',
          description: 'Converts a value from one unit to another.',
          parameters: { type: 'object', properties: { value: { type: 'number' } }, required: ['value'] },
          read_only: true,
        },
      ],
      commands: [{ name: 'convert', aliases: ['cv'], usage: '<value> <unit>', description: 'Converts a value.' }],
      listeners: [{ point: 'received' }, { point: 'answer' }],
      parsers: [
        {
          label: { en_US: 'Unit tables' },
          description: { en_US: 'Reads tables of units.' },
          media_types: ['application/x-units'],
          extensions: ['units'],
        },
      ],
      engines: [
        {
          label: { en_US: 'Unit search' },
          description: { en_US: 'Finds units.' },
          capabilities: ['doc_ingestion'],
          creation_schema: { type: 'object', properties: {} },
          retrieval_schema: { type: 'object', properties: { top_k: topK } },
        },
      ],
      runners: [{ name: 'units', label: { en_US: 'Units' }, config: { type: 'object', properties: {} } }],
      pages: [{ name: 'units', label: { en_US: 'Units' }, path: 'pages/units/index.html' }],
      schedules: [{ name: 'rates', label: { en_US: 'Rates' }, cron: '*/15 8-18 * * 1-5', time_zone: 'Asia/Shanghai' }],
    },
    permissions: {
      fetch: ['api.example.com', '*.rates.example.com:8443'],
      storage: true,
      reply: true,
      send: true,
      models: ['generate', 'embed'],
      knowledge: ['pipeline', 'chosen'],
      files: true,
      conversation: ['read', 'reset'],
    },
    limits: { heartbeat_seconds: 60, listener_seconds: 30, memory_mb: 256 },
    files: hashesOf(files),
  };
}

/**
 * Packs a plugin of a module.
 * @param declared what its manifest has besides, or instead
 * @param more files beside the module
 */
export function packageOf(
  main: string,
  declared: Partial<PluginManifest> & Pick<PluginManifest, 'contributes'>,
  more: Readonly<Record<string, string>> = {},
): Buffer {
  const files = { 'main.js': main, ...more };
  const { id, version, sdk, label, description } = pluginManifest();
  const manifest = { id, version, sdk, label, description, main: 'main.js', files: hashesOf(files), ...declared };
  return pluginPackage({ files, manifest });
}

export interface PackageChanges {
  files?: Readonly<Record<string, string | Buffer>>;
  /** The manifest, as an object or as it is written. */
  manifest?: object | string | Buffer;
  /** Replaces what the archive says of a file. */
  entries?: Readonly<Record<string, Partial<ZipSource>>>;
  /** Entries that are in no manifest, at the end. */
  more?: readonly ZipSource[];
  /** Signs the package with this key; or the text of its signature. */
  signature?: KeyObject | string;
}

/** Packs a plugin: a good one, or one that is changed. */
export function pluginPackage(changes: PackageChanges = {}): Buffer {
  const { files = packageFiles, manifest = pluginManifest(files), entries = {}, more = [], signature } = changes;
  const manifestBytes = typeof manifest === 'string' || Buffer.isBuffer(manifest) ? manifest : JSON.stringify(manifest);
  const packed: Record<string, string | Buffer> = { 'parley-plugin.json': manifestBytes, ...files };
  if (signature !== undefined) {
    packed['parley-plugin.sig'] = typeof signature === 'string' ? signature : signatureOf(manifestBytes, signature);
  }
  return zipArchive([
    ...Object.entries(packed).map(([path, content]) => ({ path, content, ...entries[path] })),
    ...more,
  ]);
}

/** The text of `parley-plugin.sig`. */
export function signatureOf(manifest: string | Buffer, privateKey: KeyObject): string {
  const { x = '' } = privateKey.export({ format: 'jwk' });
  return JSON.stringify({
    algorithm: 'ed25519',
    public_key: Buffer.from(x, 'base64url').toString('base64'),
    signature: sign(null, Buffer.from(manifest as string), privateKey).toString('base64'),
  });
}

export const newSigningKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;

function hashesOf(files: Readonly<Record<string, string | Buffer>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [path, hashOf(content)]));
}

function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
