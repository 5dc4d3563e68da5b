import type { PluginManifest } from '@parley/sdk';
import { expect, it } from 'vitest';
import { pluginManifest } from '../../../../test/factories/plugin-package.ts';
import { readManifest } from './read-manifest.ts';

const text = JSON.stringify(pluginManifest());
const read = (manifest: string | Buffer) => readManifest(Buffer.from(manifest as string));

/** A good manifest with another value at a path such as `contributes/tools/0/name`; without it for undefined. */
function changed(path: string, value: unknown): string {
  const manifest = pluginManifest();
  const parts = path.split('/');
  const last = parts.pop() ?? '';
  let place = manifest as unknown as Record<string, unknown>;
  for (const part of parts) place = place[part] as typeof place;
  place[last] = value;
  return JSON.stringify(manifest);
}

function faultOf(manifest: string | Buffer): unknown {
  try {
    return read(manifest);
  } catch (error) {
    return error;
  }
}

const refused = (path: string, message: RegExp) =>
  expect.objectContaining({
    reason: 'plugin_invalid',
    details: expect.arrayContaining([expect.objectContaining({ path, message: expect.stringMatching(message) })]),
  });

it.each<[string, string | Buffer, RegExp]>([
  ['not JSON', '{', /not JSON/],
  ['empty', '', /not JSON/],
  ['not UTF-8', Buffer.from(text.replace('metric', 'm\u00e9tric'), 'latin1'), /not UTF-8/],
  ['with a mark of byte order', `\ufeff${text}`, /not JSON/],
  ['too deep', '['.repeat(100_000).concat(']'.repeat(100_000)), /nested/],
  ['with a prototype', text.replace('{', '{"__proto__":{"id":"a/b"},'), /a field __proto__/],
  ['with a constructor deep inside', text.replace('"value":{', '"constructor":{'), /a field constructor/],
  ['with a field twice', text.replace('{', '{"id":"other/units",'), /a field twice/],
  ['with a field twice in other letters', text.replace('{', '{"\\u0069d":"other/units",'), /a field twice/],
  ['with control characters', text.replace('Unit converter', 'Unit\\u001b[2J converter'), /control characters/],
  ['with marks of direction', text.replace('Unit converter', 'Unit \\u202econverter'), /direction/],
  ['with broken characters', text.replace('Unit converter', 'Unit \\ud800'), /broken/],
])('a manifest is refused when it is %s', (_, manifest, message) => {
  expect(faultOf(manifest)).toEqual(refused('parley-plugin.json', message));
});

it('takes a text with quotes and colons for what it is', () => {
  const label = 'a "b": {"c": 1} \\": d\n\te';
  expect(read(changed('label/en_US', label)).label.en_US).toBe(label);
});

it.each(['null', '[]', '7', '"text"', '{}'])('a manifest is refused when it is %s', (manifest) => {
  expect(faultOf(manifest)).toEqual(
    expect.objectContaining({
      reason: 'plugin_invalid',
      details: expect.arrayContaining([expect.objectContaining({ path: expect.stringMatching(/^manifest/) })]),
    }),
  );
});

const tool = pluginManifest().contributes.tools?.[0];
const parser = pluginManifest().contributes.parsers?.[0];

it.each<[string, unknown, RegExp, string?]>([
  ['id', 'Example/Units', /pattern/],
  ['id', '../units', /pattern/],
  ['id', 'parley/units', /reserved/],
  ['id', 'github/units', /reserved/],
  ['version', '1.2.x', /such as 1\.2\.0/],
  ['version', 'v1.2.0', /such as 1\.2\.0/],
  ['sdk', 'latest or so', /range/],
  ['label/en_US', undefined, /is required/],
  ['description/en_US', '', /./],
  ['main', 'other.js', /one of the files/],
  ['main', 'README.md', /\.js or \.mjs/],
  ['main', 'toString', /one of the files/],
  ['extra', 1, /not a known field/],
  ['settings/$ref', 'https://example.com', /not a known field/],
  ['settings/properties/key/default', 'abc', /empty default/, 'settings.properties.key'],
  ['settings/properties/server/type', 'integer', /empty default/, 'settings.properties.server'],
  ['settings/properties/system/default', 'other', /value of the field/],
  ['settings/properties/system/pattern', '(a+)+$', /not a known field/],
  ['settings/properties/units/items', undefined, /its items/, 'settings.properties.units'],
  ['settings/properties/units/x-show-if/field', 'none', /another field/, 'settings.properties.units.x-show-if'],
  ['settings/properties/Server', { type: 'string', default: '' }, /./],
  ['contributes', {}, /./],
  ['contributes/moons', [1], /not a known field/],
  ['contributes/tools', [], /./],
  ['contributes/tools', [tool, tool], /convert_units twice/],
  ['contributes/tools/0/name', 'convert units', /pattern/, 'contributes.tools[0].name'],
  ['contributes/tools/0/parameters', { type: 'string' }, /type object/, 'contributes.tools[0].parameters'],
  ['contributes/tools/0/parameters', doubling(15), /more than 1000 objects/, 'contributes.tools[0].parameters'],
  ['contributes/commands/0/name', 'Convert', /lower case: Convert/, 'contributes.commands[0]'],
  ['contributes/commands/0/aliases', ['two words'], /lower case/, 'contributes.commands[0]'],
  ['contributes/commands/0/aliases', ['convert'], /convert twice/, 'contributes.commands'],
  ['contributes/commands/0/privilege', 3, /./, 'contributes.commands[0].privilege'],
  ['contributes/listeners/1/point', 'received', /received twice/, 'contributes.listeners'],
  ['contributes/listeners/0/point', 'start', /must be one of/, 'contributes.listeners[0].point'],
  ['contributes/parsers', [parser, parser], /./],
  ['contributes/parsers/0/extensions', ['.Units'], /pattern/, 'contributes.parsers[0].extensions[0]'],
  [
    'contributes/engines/0/retrieval_schema/properties',
    {},
    /top_k/,
    'contributes.engines[0].retrieval_schema.properties',
  ],
  [
    'contributes/engines/0/creation_schema/properties/a',
    { type: 'integer', default: 'x' },
    /value of/,
    'contributes.engines[0].creation_schema.properties.a.default',
  ],
  [
    'contributes/runners/0/config/properties/a',
    { type: 'boolean', default: 1 },
    /value of/,
    'contributes.runners[0].config.properties.a.default',
  ],
  ['contributes/pages/0/path', 'README.md', /\.html/, 'contributes.pages[0].path'],
  ['contributes/pages/0/path', 'index.html', /in a folder/, 'contributes.pages[0].path'],
  ['contributes/pages/0/path', 'pages/none.html', /one of the files/, 'contributes.pages[0].path'],
  ['contributes/schedules/0/time_zone', 'Mars/Base', /time zone/, 'contributes.schedules[0].time_zone'],
  ['permissions/fetch', ['api.example.com', 'api.example.com'], /twice/],
  ['permissions/everything', true, /not a known field/],
  ['permissions/storage', false, /./],
  ['limits/heartbeat_seconds', 61, /./],
  ['limits/listener_seconds', 31, /./],
  ['limits/memory_mb', 1e9, /./],
  ['files/main.js', 'abc', /pattern/],
  ['files/parley-plugin.sig', '0'.repeat(64), /not listed/],
])('a manifest is refused for %s with %j', (place, value, message, path = place.replaceAll('/', '.')) => {
  expect(faultOf(changed(place, value))).toEqual(refused(`manifest.${path}`, message));
});

it.each([
  'http://example.com',
  'https://example.com/path',
  'Example.com',
  '127.0.0.1',
  '[::1]',
  'localhost',
  'api.*.com',
  '*.com',
  'a b.com',
  'api.example.com:0',
  'api.example.com:65536',
  '*:443',
])('the permission to fetch is not for %s', (host) => {
  expect(faultOf(changed('permissions/fetch', [host]))).toEqual(refused('manifest.permissions.fetch[0]', /^must be/));
});

it('the permission to fetch is for hosts, with ports, those below one, and all', () => {
  const hosts = ['a.example', 'xn--fiqs8s.example:8443', '*.example.com', '*'];
  expect(read(changed('permissions/fetch', hosts)).permissions?.fetch).toEqual(hosts);
});

it.each(['* * * * *', '0 0 1 1 0', '*/5 0-23/2 1,15 1-6 1-5,7', '59 23 31 12 7', '0 0 29 2 *'])(
  '"%s" is a schedule',
  (cron) => {
    expect(read(changed('contributes/schedules/0/cron', cron)).contributes.schedules?.[0]?.cron).toBe(cron);
  },
);

it.each([
  ['* * * * * *', /five fields/],
  ['@daily   ', /five fields/],
  ['0  0 * * *', /five fields/],
  ['60 * * * *', /minute: 60/],
  ['-1 * * * *', /illegal lower range/],
  ['5/10 * * * *', /5\/10/],
  ['*/0 * * * *', /illegal stepping/],
  ['*/99 * * * *', /greater than maximum/],
  ['1, * * * *', /minute .* is empty/],
  ['0 24 * * *', /hour: 24/],
  ['0 5-3 * * *', /5-3/],
  ['0 0 0 * *', /day/],
  ['0 0 1 13 *', /month/],
  ['0 0 1 JAN *', /five fields/],
  ['0 0 * * MON', /five fields/],
  ['0 0 L * *', /five fields/],
  ['0 0 ? * *', /five fields/],
  ['0 0 * * 1#2', /five fields/],
  ['0 0 * * 8', /dayOfWeek: 8/],
  ['0 0 31 2 *', /never occurs/],
  ['0 0 31 4,6 *', /never occurs/],
])('"%s" is no schedule', (cron, message) => {
  expect(faultOf(changed('contributes/schedules/0/cron', cron))).toEqual(
    refused('manifest.contributes.schedules[0].cron', message),
  );
});

it('for other versions of the SDK is refused for that, whatever else it has', () => {
  const manifest: object = { ...pluginManifest(), sdk: '^7.0.0', contributes: { moons: [] } };
  expect(faultOf(JSON.stringify(manifest))).toMatchObject({
    reason: 'plugin_incompatible',
    details: [{ path: 'manifest.sdk', message: expect.stringContaining('^7.0.0') }],
  });
});

it('lists its faults, the first in the message', () => {
  const manifest: PluginManifest = { ...pluginManifest(), version: 'v1.0.0', main: 'none.js' };
  expect(faultOf(JSON.stringify(manifest))).toMatchObject({
    message: 'manifest.version: must be a version such as 1.2.0',
    details: [{ path: 'manifest.version' }, { path: 'manifest.main' }],
  });
});

/** Each definition names the one before it twice. */
function doubling(levels: number): object {
  const definitions = Array.from({ length: levels }, (_, level) => [
    `a${level + 1}`,
    { allOf: [{ $ref: `#/$defs/a${level}` }, { $ref: `#/$defs/a${level}` }] },
  ]);
  return { type: 'object', $ref: `#/$defs/a${levels}`, $defs: Object.fromEntries([['a0', {}], ...definitions]) };
}
