import { describe, expect, it } from 'vitest';
import { SchemaValidator } from './schema-validator.ts';

const validator = new SchemaValidator();
const faultsOf = (schema: object, given: unknown) => validator.faultsOf(JSON.stringify(schema), JSON.stringify(given));
const textsOf = (schema: object, given: unknown) =>
  faultsOf(schema, given)
    .map(({ text }) => text)
    .join('; ');

const draft7 = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 2 },
    unit: { enum: ['C', 'F'] },
    days: { type: 'integer', minimum: 1 },
    when: { type: 'string', format: 'date' },
  },
  required: ['city'],
  additionalProperties: false,
};

describe('the errors in parameters', () => {
  it.each([{ city: 'Ulm' }, { city: 'Ulm', unit: 'F', days: 3, when: 'whenever' }])('are null with %j', (given) => {
    expect(faultsOf(draft7, given)).toEqual([]);
  });

  it.each<[object, string]>([
    [{}, "the object must have required property 'city'"],
    [{ city: 'Ulm', more: 1 }, 'the object must NOT have additional properties (more)'],
    [{ city: 'U' }, '/city must NOT have fewer than 2 characters'],
    [{ city: 'Ulm', unit: 'K' }, '/unit must be equal to one of the allowed values (C, F)'],
    // Models often write numbers as texts; that is an error, because tools rely on their declared types.
    [{ city: 'Ulm', days: '3' }, '/days must be integer'],
    [{ city: 7, days: 0 }, '/city must be string; /days must be >= 1'],
  ])('are reported with %j', (given, expected) => {
    expect(textsOf(draft7, given)).toBe(expected);
  });

  it.each<[object, object]>([
    [
      { type: 'array', items: { type: 'integer' } },
      { path: 'parameters.days[1]', rule: 'type' },
    ],
    [{ items: { required: ['a/b'] } }, { path: 'parameters.days[0].a/b', rule: 'required' }],
    [{ type: 'string' }, { path: 'parameters.days', message: 'must be string' }],
    [
      { enum: Array.from({ length: 50 }, (_, index) => index) },
      { limit: Array.from({ length: 20 }, (_, index) => `${index}`) },
    ],
  ])('name their field: %j', (days, detail) => {
    const details = faultsOf({ properties: { days } }, { days: [{}, 'x'] }).map((fault) => fault.detail);
    expect(details).toContainEqual(expect.objectContaining(detail));
  });

  it('are limited in number', () => {
    const given = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`more${index}`, 1]));
    expect(faultsOf(draft7, given)).toHaveLength(5);
  });

  it.each(['https://json-schema.org/draft/2020-12/schema', 'https://json-schema.org/draft/2019-09/schema'])(
    'is found by schemas of %s',
    ($schema) => {
      const schema = {
        $schema,
        $id: 'one',
        type: 'object',
        properties: { a: { $ref: '#/$defs/text' } },
        dependentRequired: { a: ['b'] },
        $defs: { text: { type: 'string' } },
      };
      expect(faultsOf(schema, { a: 'x', b: 1 })).toEqual([]);
      expect(textsOf(schema, { a: 'x' })).toMatch(/must have propert/);
      // The same id in another schema is another schema.
      expect(textsOf({ ...schema, required: ['c'] }, { a: 'x', b: 1 })).toMatch(/'c'/);
    },
  );

  it('cannot be said by a schema that refers to one elsewhere', () => {
    expect(() => faultsOf({ $ref: 'https://example.com/schema.json' }, {})).toThrow();
  });

  it('are none with an empty schema', () => {
    expect(faultsOf({}, { anything: [1] })).toEqual([]);
  });
});

describe('patterns', () => {
  const schema = (...patterns: string[]) => ({
    properties: Object.fromEntries(patterns.map((pattern, index) => [`p${index}`, { pattern }])),
  });

  it.each([
    ['^[a-z]+$', 'abc', 'ab1'],
    ['^\\d{4}-\\d{2}$', '2026-11', '2026-1'],
    ['^\\p{L}+$', 'Grüße', 'a b'],
    ['\\u00e9', 'é', 'e'],
    ['^(?<year>\\d+)\\/\\w+$', '20/a', '20'],
    // Only JavaScript's own engine knows these.
    ['^(?!no).*$', 'yes', 'no'],
    ['(a)\\1', 'aa', 'ab'],
  ])('%s is found in %j and not in %j', (pattern, good, bad) => {
    expect(faultsOf(schema(pattern), { p0: good })).toEqual([]);
    expect(textsOf(schema(pattern), { p0: bad })).toMatch(/must match pattern/);
  });

  it('of one schema are separated', () => {
    expect(faultsOf(schema('^a$', '^b$'), { p0: 'a', p1: 'b' })).toEqual([]);
    expect(faultsOf(schema('^a$', '^b$'), { p0: 'b', p1: 'a' })).toHaveLength(2);
    const named = { patternProperties: { '^a': { type: 'string' }, '^b': { type: 'number' } } };
    expect(faultsOf(named, { a: 'x', b: 1 })).toEqual([]);
    expect(faultsOf(named, { a: 1, b: 'x' })).toHaveLength(2);
  });

  it('take a time in proportion to the text', () => {
    const fault = textsOf(schema('^([a-zA-Z0-9]+\\s?)*$'), { p0: `${'a'.repeat(100_000)}!` });
    expect(fault).toMatch(/must match pattern/);
  });

  it('that are none make the schema useless', () => {
    expect(() => faultsOf(schema('('), { p0: 'a' })).toThrow(/regular expression/);
  });
});

it('looks for one fault only where all of them would take much memory', () => {
  const schema = { additionalProperties: { type: 'string' } };
  const given = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`a${index}`, index]));
  expect(faultsOf(schema, { a: 1, b: 2 })).toHaveLength(2);
  expect(faultsOf({ ...schema, description: 'x'.repeat(1000) }, given)).toHaveLength(1);
});

it('compiles a schema once, and forgets those that were not used for long', () => {
  const startedAt = performance.now();
  for (let index = 0; index < 300; index += 1) {
    expect(textsOf({ properties: { [`a${index}`]: { type: 'string' } } }, { [`a${index}`]: 1 })).toMatch(
      /must be string/,
    );
  }
  expect(performance.now() - startedAt).toBeLessThan(30_000);
});
