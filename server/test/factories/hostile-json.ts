import fc from 'fast-check';

/** Pieces of JSON that programs have stumbled over. */
const nasty = [
  'null',
  'true',
  '-1',
  '0.1',
  '1e400',
  '-1e400',
  '9007199254740993',
  '123456789012345678901234567890',
  '""',
  '" "',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '"\\u202e\\ufeff\\uffff"',
  '"🔑👩‍👩‍👧"',
  '"__proto__"',
  '"constructor"',
  '"…"',
  '"sk-…wxyz"',
  '"%s%n%00"',
  '"\'; drop table accounts; --"',
  '"../../etc/passwd"',
  '"2026-13-45T99:99:99Z"',
  '"9999-12-31T23:59:60Z"',
  '"http://["',
  '"http://127.0.0.1:99999"',
  '"javascript:alert(1)"',
  '[]',
  '[null]',
  '[[[[]]]]',
  '{}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"hasOwnProperty":1,"length":-1,"then":1}',
  '{"":""}',
  '{"type":"Plain"}',
  '{"type":"Quote","origin":[]}',
  `"${'x'.repeat(70_000)}"`,
  `${'['.repeat(2000)}${']'.repeat(2000)}`,
  `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`,
  `[${Array.from({ length: 2000 }, () => '1')}]`,
  `{${Array.from({ length: 1000 }, (_, index) => `"k${index}":1`)}}`,
];

/** Any piece of JSON, as text. */
export const anyJson = fc.oneof(fc.constantFrom(...nasty), fc.json({ maxDepth: 3, noUnicodeString: false }));
const fieldName = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', '', 'uuid', 'provider_uuid', 'a.b[0]/~1'),
  fc.string(),
);

/** Something done to a body. */
export interface Change {
  /** Which of the places in the body. */
  place: number;
  how: 'replace' | 'remove' | 'add';
  name: string;
  json: string;
}

export const anyChange: fc.Arbitrary<Change> = fc.record({
  place: fc.nat(60),
  how: fc.constantFrom('replace', 'replace', 'remove', 'add'),
  name: fieldName,
  json: anyJson,
});

/** A body as JSON after changes, keeping what JSON can say and objects cannot. */
export function changedJson(example: object, changes: Change[]): string {
  const whole = structuredClone({ body: example });
  for (const [index, { place, how, name }] of changes.entries()) {
    const places = placesIn(whole);
    const [holder, field] = places[place % places.length] ?? [whole as Holder, 'body'];
    if (how === 'replace') holder[field] = markOf(index);
    else if (how === 'remove') delete holder[field];
    // Defined, since assigning to `__proto__` would do something else.
    else
      Object.defineProperty(holder, name, {
        value: markOf(index),
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  const text = JSON.stringify(whole.body) ?? '';
  return changes.reduce((written, { json }, index) => written.replace(`"${markOf(index)}"`, () => json), text);
}

type Holder = Record<string, unknown>;

/** Every field of every object and list in a value. */
function placesIn(value: unknown): [holder: Holder, field: string][] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Holder;
  return Object.keys(holder).flatMap((field) => [[holder, field], ...placesIn(holder[field])] as [Holder, string][]);
}

function markOf(index: number): string {
  return `@@${index}@@`;
}
