import { expect, it } from 'vitest';
import { schemaFault } from './schema-bounds.ts';

/** Each definition names the one before it twice, so that its expanded size doubles with each. */
const doubling = (levels: number) => ({
  $defs: Object.fromEntries(
    Array.from({ length: levels + 1 }, (_, level) => [
      `a${level}`,
      level === 0
        ? { type: 'string' }
        : { allOf: [{ $ref: `#/$defs/a${level - 1}` }, { $ref: `#/$defs/a${level - 1}` }] },
    ]),
  ),
  properties: { id: { $ref: `#/$defs/a${levels}` } },
});
const chain = (links: number) => ({
  $ref: '#/$defs/a0',
  $defs: Object.fromEntries(
    Array.from({ length: links }, (_, link) => [
      `a${link}`,
      link + 1 < links ? { $ref: `#/$defs/a${link + 1}` } : { type: 'string' },
    ]),
  ),
});
const nested = (depth: number): object => (depth === 0 ? { type: 'string' } : { items: nested(depth - 1) });
const wide = (width: number) => ({
  properties: Object.fromEntries(Array.from({ length: width }, (_, index) => [`a${index}`, { type: 'string' }])),
});

it.each<[string, object]>([
  ['nothing', {}],
  ['one of many properties', wide(990)],
  ['a deep one', nested(48)],
  ['one that refers to itself', { properties: { child: { $ref: '#' }, list: { items: { $ref: '#' } } } }],
  [
    'two that refer to each other',
    { $ref: '#/$defs/a', $defs: { a: { items: { $ref: '#/$defs/b' } }, b: { items: { $ref: '#/$defs/a' } } } },
  ],
  ['a few that double', doubling(6)],
  ['a dangling reference', { $ref: '#/$defs/none' }],
  ['a reference to elsewhere', { $ref: 'https://example.com/schema.json' }],
  ['a property named like a reference', { properties: { $ref: { type: 'string' } } }],
  ['a reference that is none', { $ref: 7, $anchor: {}, $id: [] }],
  ['a pointer that is none', { $ref: '#/%zz/~2/__proto__' }],
])('a schema may be %s', (_, schema) => {
  expect(schemaFault(schema as Record<string, unknown>)).toBeNull();
});

it.each<[string, object, RegExp]>([
  ['too large', { description: 'x'.repeat(65_536) }, /has 65554 bytes, more than 65536/],
  ['too large in bytes', { description: 'ü'.repeat(40_000) }, /more than 65536/],
  ['nested too deep', nested(50), /nested more than 50 deep$/],
  ['of too many objects', wide(1000), /more than 1000 objects/],
  ['doubling 12 times', doubling(12), /more than 1000 objects, with its references/],
  ['doubling 28 times', doubling(28), /with its references followed/],
  ['doubling 200 times', doubling(200), /with its references followed/],
  ['a chain of references', chain(60), /nested more than 50 deep, with its references followed/],
  ['a very long chain of references', chain(1500), /nested more than 50 deep, with its references followed/],
  [
    'doubling by names',
    JSON.parse(
      JSON.stringify(doubling(12))
        .replace(/"#\/\$defs\/(a\d+)"/g, '"#$1"')
        .replace(/"(a\d+)":\{/g, '"$1":{"$anchor":"$1",'),
    ),
    /more than 1000 objects, with its references/,
  ],
])('a schema must not be %s', (_, schema, fault) => {
  expect(schemaFault(schema as Record<string, unknown>)).toMatch(fault);
});
