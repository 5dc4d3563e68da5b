import { expect, it } from 'vitest';
import { hasSecrets, parametersOf, toolFields } from './tool-form.ts';

const typesOf = (properties: object, more: object = {}) =>
  Object.fromEntries(
    (toolFields({ type: 'object', properties, ...more }) ?? []).map(({ field }) => [field.name, field.type]),
  );

it('shows each kind of parameter with a control of its own, and the rest as JSON', () => {
  const place = { type: 'object', properties: { lat: { type: 'number' } } };
  expect(
    typesOf(
      {
        city: { type: 'string' },
        letter: { type: 'string', maxLength: 10_000 },
        days: { type: 'integer' },
        limit: { type: 'number' },
        exact: { type: 'boolean' },
        unit: { enum: ['celsius', 'kelvin'] },
        tags: { type: 'array', items: { type: 'string' } },
        points: { type: 'array', items: place },
        levels: { enum: [1, 2] },
        either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
        many: { type: ['string', 'integer'] },
        anything: {},
        truth: true,
        place: { $ref: '#/$defs/place' },
        gone: { $ref: '#/$defs/gone' },
        remote: { $ref: 'https://example.com/schema' },
        optional: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        nullable: { type: ['integer', 'null'] },
        map: { type: 'object', additionalProperties: { type: 'string' } },
      },
      { $defs: { place } },
    ),
  ).toEqual({
    city: 'string',
    letter: 'text',
    days: 'integer',
    limit: 'number',
    exact: 'boolean',
    unit: 'select',
    tags: 'array[string]',
    points: 'json',
    levels: 'json',
    either: 'json',
    many: 'json',
    anything: 'json',
    truth: 'json',
    place: 'json',
    gone: 'json',
    remote: 'json',
    optional: 'string',
    nullable: 'integer',
    map: 'json',
  });
});

it('shows objects in objects as forms, down to a depth', () => {
  const inside = (depth: number): object =>
    depth === 0
      ? { type: 'string' }
      : { type: 'object', properties: { inner: inside(depth - 1) }, required: ['inner'] };
  const depthOf = (fields = toolFields(inside(6))): number =>
    fields?.[0]?.fields === undefined ? 1 : 1 + depthOf(fields[0].fields);
  expect(depthOf()).toBe(3);
});

it.each<[string, unknown]>([
  ['is no object', 'text'],
  ['is nothing', undefined],
  ['has fields of any name', { type: 'object', additionalProperties: true }],
  ['is one of several', { oneOf: [{ type: 'object' }] }],
  ['is elsewhere', { $ref: '#/$defs/a' }],
  ['has a list in place of fields', { properties: [] }],
])('leaves the whole to JSON when the schema %s', (_, schema) => {
  expect(toolFields(schema)).toBeNull();
});

it('ends for schemas that refer to themselves', () => {
  const loop = { type: 'object', properties: { next: { $ref: '#' }, round: { $ref: '#/$defs/a' } } };
  const fields = toolFields({ ...loop, $defs: { a: { $ref: '#/$defs/a' } } });
  expect(fields?.map(({ field }) => field.type)).toEqual(['json', 'json']);
});

it('marks what is secret, so that it is not kept in the browser', () => {
  const fields = toolFields({ properties: { token: { type: 'string', format: 'password' } } });
  expect(fields?.[0]?.field.secret).toBe(true);
});

it('sends what was entered, defaults, and no optional field that was left empty', () => {
  const fields = toolFields({
    properties: {
      city: { type: 'string' },
      note: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' } },
      exact: { type: 'boolean' },
      wanted: { type: 'boolean' },
      days: { type: 'integer', default: 3 },
      place: { type: 'object', properties: { lat: { type: 'number' } } },
    },
    required: ['city', 'wanted'],
  });
  expect(parametersOf(fields ?? [], {})).toEqual({ wanted: false, days: 3 });
  expect(parametersOf(fields ?? [], { city: '' })).toEqual({ city: '', wanted: false, days: 3 });
  const value = { city: 'Ulm', note: '', tags: [], exact: false, place: { lat: 0 } };
  expect(parametersOf(fields ?? [], value)).toEqual({
    city: 'Ulm',
    exact: false,
    wanted: false,
    days: 3,
    place: { lat: 0 },
  });
});

it.each([
  [
    'in a list',
    { items: { type: 'object', properties: { token: { type: 'string', writeOnly: true } } }, type: 'array' },
  ],
  ['behind a reference', { type: 'array', items: { $ref: '#/$defs/login' } }],
])('names JSON that may have a secret in it: %s', (_, logins) => {
  const login = { type: 'object', properties: { token: { type: 'string', format: 'password' } } };
  const points = { type: 'array', items: { type: 'object' } };
  const schema = { type: 'object', properties: { logins, points }, $defs: { login } };
  expect(toolFields(schema)?.map(({ field, hasSecrets: has }) => [field.name, has])).toEqual([
    ['logins', true],
    ['points', undefined],
  ]);
  expect([hasSecrets(schema), hasSecrets({ type: 'object', properties: { points } })]).toEqual([true, false]);
});
