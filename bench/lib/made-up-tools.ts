import type { Random } from './seeded-random.ts';

/** A tool as an MCP server tells of it, and what a model passes to it. */
export interface MadeUpTool {
  schema: Record<string, unknown>;
  parameters: unknown;
}

type Maker = (random: Random) => MadeUpTool;

const whole = (random: Random, least: number, most: number) => least + Math.floor(random() * (most - least + 1));
const pick = <Value>(random: Random, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value;
const text = (random: Random, length: number) =>
  Array.from({ length }, () => pick(random, [...'abcdefghij klmnop'])).join('');
const many = <Value>(count: number, make: (index: number) => Value) => Array.from({ length: count }, (_, n) => make(n));
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

/** Tools as most servers have them, with parameters that are right, or wrong in one place. */
export const harmless: Maker = (random) => {
  const names = many(whole(random, 1, 12), (index) => `field_${index}`);
  const kinds = many(names.length, () => pick(random, ['string', 'integer', 'array', 'enum'] as const));
  const schemas = {
    string: { type: 'string', pattern: '^[a-z ]*$', maxLength: 200 },
    integer: { type: 'integer', minimum: 0 },
    array: { type: 'array', items: { type: 'string' } },
    enum: { enum: ['one', 'two', 'three'] },
  };
  const values = { string: text(random, 20), integer: 7, array: ['a', 'b'], enum: 'two' };
  const parameters = Object.fromEntries(names.map((name, index) => [name, values[kinds[index] ?? 'string']]));
  if (random() < 0.1) parameters.field_0 = null as never;
  const properties = Object.fromEntries(
    names.map((name, index) => [name, { description: text(random, 60), ...schemas[kinds[index] ?? 'string'] }]),
  );
  return { schema: object(properties, { required: ['field_0'] }), parameters };
};

/** Patterns that an engine which goes back takes exponential time for; the last ones need such an engine. */
const badPatterns = ['^([a-zA-Z0-9]+\\s?)*$', '^(a+)+$', '^(a|aa)+$', '^(.*a){12}$', '(x+x+)+y', '^(a?){30}a{30}$'];
const worsePatterns = ['^(?=a)([a-z]+)*!$', '^(a+)+(?!b)c$', '^((a|b|ab)*)\\1!$'];

const hostileMakers: readonly [share: number, make: Maker][] = [
  [
    20,
    (random) => ({
      schema: object({ id: { type: 'string', pattern: pick(random, badPatterns) } }),
      parameters: { id: `${'a'.repeat(whole(random, 25, 50_000))}!` },
    }),
  ],
  [
    1,
    (random) => ({
      schema: object({ id: { type: 'string', pattern: pick(random, worsePatterns) } }),
      parameters: { id: `${'a'.repeat(whole(random, 25, 60))}?` },
    }),
  ],
  [15, (random) => ({ schema: doubling(whole(random, 2, 40)), parameters: { id: text(random, 20) } })],
  [8, (random) => nested(whole(random, 5, 200))],
  [
    10,
    (random) => ({
      schema: object(Object.fromEntries(many(whole(random, 50, 3000), (index) => [`a${index}`, { type: 'string' }]))),
      parameters: Object.fromEntries(many(whole(random, 50, 5000), (index) => [`a${index}`, index])),
    }),
  ],
  [
    3,
    (random) => ({
      schema: object({ items: { uniqueItems: true } }),
      parameters: { items: many(whole(random, 10, 8000), (index) => ({ index })) },
    }),
  ],
  [
    10,
    (random) => ({
      schema: {
        type: 'object',
        patternProperties: Object.fromEntries(
          many(whole(random, 5, 100), (index) => [
            `^(${pick(random, ['a+', 'a*', '[a-z]+'])})*${index}$`,
            { type: 'null' },
          ]),
        ),
      },
      parameters: Object.fromEntries(many(whole(random, 10, 1000), (index) => [`${'a'.repeat(40)}${index}`, 1])),
    }),
  ],
  [
    10,
    (random) => ({
      schema: object({
        items: {
          items: { [pick(random, ['anyOf', 'oneOf', 'allOf'])]: many(whole(random, 5, 400), (n) => ({ const: n })) },
        },
      }),
      parameters: { items: many(whole(random, 10, 5000), () => -1) },
    }),
  ],
  [
    8,
    (random) => ({
      schema: { type: 'object', properties: { child: { $ref: '#' }, list: { items: { $ref: '#' } } } },
      parameters: nested(whole(random, 5, 45)).parameters,
    }),
  ],
  [
    5,
    (random) => ({
      schema: pick<Record<string, unknown>>(random, [
        { type: 'nonsense' },
        { $ref: 'https://example.com/schema.json' },
        { properties: { a: { pattern: '(' } } },
        { properties: { a: { pattern: '(a{1000}){1000}' } } },
        { $ref: '#/$defs/none' },
        { type: 'object', required: 'id', properties: [] },
        { $id: 'http://[', $schema: 7 },
      ]),
      parameters: { a: text(random, 50) },
    }),
  ],
  [
    8,
    (random) => ({
      schema: object({ id: { enum: many(whole(random, 100, 5000), (index) => `value ${index}`) } }),
      parameters: { id: text(random, whole(random, 10, 200_000)) },
    }),
  ],
  [2, (random) => ({ schema: { description: text(random, whole(random, 30_000, 100_000)) }, parameters: {} })],
];

/** Tools that are made to take time or memory, with parameters that go with them. */
export const hostile: Maker = (random) => {
  const sum = hostileMakers.reduce((total, [share]) => total + share, 0);
  let place = random() * sum;
  const found = hostileMakers.find(([share]) => {
    place -= share;
    return place < 0;
  });
  return (found?.[1] ?? harmless)(random);
};

/** Each definition names the one before it twice. */
function doubling(levels: number): Record<string, unknown> {
  const reference = (level: number) => ({ $ref: `#/$defs/a${level}` });
  const definitions = many(levels, (level) => [
    `a${level}`,
    level === 0 ? { type: 'string' } : { allOf: [reference(level - 1), reference(level - 1)] },
  ]);
  return { type: 'object', properties: { id: reference(levels - 1) }, $defs: Object.fromEntries(definitions) };
}

function nested(depth: number): MadeUpTool {
  let schema: Record<string, unknown> = { type: 'string' };
  let parameters: unknown = 1;
  for (let level = 0; level < depth; level += 1) {
    schema = { type: 'object', properties: { child: schema } };
    parameters = { child: parameters };
  }
  return { schema, parameters };
}
