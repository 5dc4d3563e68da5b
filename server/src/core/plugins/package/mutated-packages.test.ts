import { ParleyError } from '@parley/sdk';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newSigningKey, pluginManifest, pluginPackage } from '../../../../test/factories/plugin-package.ts';
import type { ZipSource } from '../../../../test/factories/zip-archive.ts';
import { runsTried } from '../../../../test/shared/looks-closely.ts';
import { openPackage } from '../../../plugin-host/package/open-package.ts';
import { type InspectedPackage, inspectPackage } from './inspect-package.ts';

const good = pluginPackage({ signature: newSigningKey() });
const numRuns = runsTried(2500);
const inherited = Object.getOwnPropertyNames(Object.prototype);

/** @returns null for a package that is refused; fails when anything else happens */
async function outcome(archive: Buffer): Promise<InspectedPackage | null> {
  try {
    return await inspectPackage(archive, openPackage);
  } catch (error) {
    expect(error).toBeInstanceOf(ParleyError);
    const { reason, message, details = [] } = error as ParleyError;
    expect(['plugin_invalid', 'plugin_incompatible']).toContain(reason);
    expect(message).not.toBe('');
    expect(details.length).toBeGreaterThan(0);
    return null;
  }
}

/** Where the archive is structure rather than content, changes are worth more. */
const place = fc.oneof(fc.nat(good.length - 1), fc.integer({ min: good.length - 400, max: good.length - 1 }));

it('an archive with changed bytes is refused, or has the same content', { timeout: 60_000 }, async () => {
  const { manifest, signature } = await inspectPackage(good, openPackage);
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 6 }), async (changes) => {
      const archive = Buffer.from(good);
      for (const [at, byte] of changes) archive[at] = byte;
      const inspected = await outcome(archive);
      if (inspected === null) refused += 1;
      // Times and the like are of no account; what is read is what was signed.
      else expect(inspected).toMatchObject({ manifest, signature });
    }),
    { numRuns },
  );
  expect(refused).toBeGreaterThan(numRuns / 2);
});

it('an archive with parts cut out, repeated or put in is refused', { timeout: 60_000 }, async () => {
  const noise = fc.uint8Array({ minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(
      place,
      fc.nat(120),
      fc.oneof(noise, fc.constantFrom('cut', 'repeat')),
      async (at, length, change) => {
        const part = good.subarray(at, at + length);
        const middle = { cut: [], repeat: [part, part] }[String(change)] ?? [part, change as Uint8Array];
        const archive = Buffer.concat([good.subarray(0, at), ...middle, good.subarray(at + length)]);
        if (archive.equals(good)) return;
        expect(await outcome(archive)).toBeNull();
      },
    ),
    { numRuns },
  );
});

const hostile = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    null,
    '',
    -1,
    1e308,
    true,
    [],
    {},
    '__proto__',
    '../../etc/passwd',
    'x'.repeat(5000),
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'.repeat(300),
    `a${'\u0301'.repeat(3000)}`,
    '(a+)+$',
    { $ref: '#' },
    { type: 'array', default: [], items: { $ref: '#' } },
  ),
);

/** A good manifest, with another value at one of its places or one more field there. */
const changedManifest = fc
  .array(fc.tuple(fc.array(fc.nat(1000), { minLength: 1, maxLength: 7 }), fc.boolean(), hostile), {
    minLength: 1,
    maxLength: 3,
  })
  .map((changes) => {
    const manifest: unknown = pluginManifest();
    // The same value may come several times, and a later change may be inside it.
    for (const [steps, adds, value] of changes) change(manifest, steps, adds, structuredClone(value));
    return manifest as object;
  });

function change(root: unknown, steps: readonly number[], adds: boolean, value: unknown): void {
  let at = root;
  for (const [index, step] of steps.entries()) {
    if (typeof at !== 'object' || at === null) return;
    const fields = at as Record<string, unknown>;
    const names = Object.keys(fields);
    const name = names[step % Math.max(1, names.length)];
    const isLast = index === steps.length - 1;
    if (isLast && (adds || name === undefined)) fields[typeof value === 'string' ? value.slice(0, 30) : 'more'] = value;
    else if (isLast && name !== undefined) fields[name] = value;
    else if (name !== undefined) at = fields[name];
  }
}

it('a changed manifest is refused, or means what it says', { timeout: 60_000 }, async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(changedManifest, async (manifest) => {
      const text = JSON.stringify(manifest);
      const inspected = await outcome(pluginPackage({ manifest: text }));
      if (inspected === null) refused += 1;
      else expect(inspected.manifest).toEqual(JSON.parse(text));
    }),
    { numRuns },
  );
  expect(refused).toBeGreaterThan(numRuns / 4);
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(inherited);
});

const names = fc.oneof(
  fc.constantFrom(
    'main.js',
    'MAIN.js',
    'parley-plugin.json',
    'pages',
    '../a',
    '/a',
    'C:\\a',
    'a/./b',
    'nul',
    'a.so',
    '',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .array(fc.constantFrom('..', '.', 'a', 'A', 'b.js', '\u00e9', 'e\u0301'), { maxLength: 14 })
    .map((parts) => parts.join('/')),
);
const wrongEntry = fc.record<ZipSource>(
  {
    path: names,
    content: fc.oneof(fc.string(), fc.uint8Array({ maxLength: 50 })),
    isStored: fc.boolean(),
    declaredBytes: fc.oneof(fc.nat(100), fc.nat(0xffffffff)),
    checksum: fc.nat(0xffffffff),
    method: fc.constantFrom(0, 8, 9, 99),
    flags: fc.nat(0xffff),
    attributes: fc.nat(0xffffffff),
    extra: fc.uint8Array({ maxLength: 20 }),
    comment: fc.string({ maxLength: 5 }),
    header: fc.record({ path: names, declaredBytes: fc.nat(100), method: fc.constantFrom(0, 8) }, { requiredKeys: [] }),
    gap: fc.uint8Array({ maxLength: 5 }),
  },
  { requiredKeys: ['path'] },
);

it('an entry that is not in the manifest is refused, whatever it is', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(wrongEntry, async (entry) => {
      fc.pre(!String(entry.path).endsWith('/'));
      expect(await outcome(pluginPackage({ more: [entry] }))).toBeNull();
    }),
    { numRuns },
  );
});
