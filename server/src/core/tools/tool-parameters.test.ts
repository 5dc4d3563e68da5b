import { describe, expect, it } from 'vitest';
import { faultsOf, readParameters } from './tool-parameters.ts';

describe('parameters of a tool', () => {
  it.each([undefined, null, '', {}])('may be left out as %j', (given) => {
    expect(readParameters(given)).toEqual({ value: {}, json: '{}', fault: null });
  });

  it.each<[string, unknown, RegExp]>([
    ['a text', '{"query": "x"', /JSON object/],
    ['a number', 7, /JSON object/],
    ['a list', [1], /JSON object/],
    ['endless nesting', JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`), /nested/],
    ['an endless list', JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`), /nested/],
    ['a long text in it', { query: 'x'.repeat(300_000) }, /too long/],
  ])('must not be %s', (_, given, fault) => {
    expect(readParameters(given)).toMatchObject({ value: null, fault: expect.stringMatching(fault) });
  });
});

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

describe('what is wrong with parameters', () => {
  it.each([{ city: 'Ulm' }, { city: 'Ulm', unit: 'F', days: 3, when: 'whenever' }])(
    'is nothing with %j',
    async (given) => {
      expect(await faultsOf(draft7, given)).toBeNull();
    },
  );

  it.each<[object, string]>([
    [{}, "the object must have required property 'city'"],
    [{ city: 'Ulm', more: 1 }, 'the object must NOT have additional properties (more)'],
    [{ city: 'U' }, '/city must NOT have fewer than 2 characters'],
    [{ city: 'Ulm', unit: 'K' }, '/unit must be equal to one of the allowed values (C, F)'],
    // Models like to write numbers as texts; they are told, because tools rely on what they declare.
    [{ city: 'Ulm', days: '3' }, '/days must be integer'],
    [{ city: 7, days: 0 }, '/city must be string; /days must be >= 1'],
  ])('with %j is told', async (given, expected) => {
    expect(await faultsOf(draft7, given)).toBe(expected);
  });

  it('is told of as many faults as anybody reads', async () => {
    const given = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`more${index}`, 1]));
    expect((await faultsOf(draft7, given))?.split('; ')).toHaveLength(5);
  });

  it.each(['https://json-schema.org/draft/2020-12/schema', 'https://json-schema.org/draft/2019-09/schema'])(
    'is found by schemas of %s',
    async ($schema) => {
      const schema = {
        $schema,
        $id: 'one',
        type: 'object',
        properties: { a: { $ref: '#/$defs/text' } },
        dependentRequired: { a: ['b'] },
        $defs: { text: { type: 'string' } },
      };
      expect(await faultsOf(schema, { a: 'x', b: 1 })).toBeNull();
      expect(await faultsOf(schema, { a: 'x' })).toMatch(/must have propert/);
      // The same id in another schema is another schema.
      expect(await faultsOf({ ...schema, required: ['c'] }, { a: 'x', b: 1 })).toMatch(/'c'/);
    },
  );

  it('cannot be said by a schema that refers to one elsewhere', async () => {
    await expect(faultsOf({ $ref: 'https://example.com/schema.json' }, {})).rejects.toThrow();
  });

  it('is nothing where the schema says nothing', async () => {
    expect(await faultsOf({}, { anything: [1] })).toBeNull();
  });
});
