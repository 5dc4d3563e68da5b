import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SecretBox } from './secret-box.ts';

const box = new SecretBox(Buffer.alloc(32, 1));

it('opens what it sealed, without revealing it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 4 }), fc.string(), (text, context) => {
      const sealed = box.seal(text, context);
      expect(sealed).toMatch(/^v1\.[A-Za-z0-9+/]+=*$/);
      expect(Buffer.from(sealed.slice(3), 'base64').includes(Buffer.from(text))).toBe(false);
      expect(box.open(sealed, context)).toBe(text);
    }),
  );
});

it('seals the same text differently each time', () => {
  expect(box.seal('text', 'record')).not.toBe(box.seal('text', 'record'));
});

it('opens under no other context and with no other key', () => {
  const sealed = box.seal('text', 'provider/1');
  expect(() => box.open(sealed, 'provider/2')).toThrow();
  expect(() => new SecretBox(Buffer.alloc(32, 2)).open(sealed, 'provider/1')).toThrow();
});

it('refuses modified texts', () => {
  const sealed = box.seal('a text', 'record');
  const bytes = Buffer.from(sealed.slice(3), 'base64');
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] as number) ^ 1;
    expect(() => box.open(`v1.${changed.toString('base64')}`, 'record')).toThrow();
  }
  for (const length of [0, 11, 12, 27, bytes.length - 1]) {
    expect(() => box.open(`v1.${bytes.subarray(0, length).toString('base64')}`, 'record')).toThrow();
  }
  for (const broken of ['', 'v1', 'v2.abcd', sealed.slice(3)]) {
    expect(() => box.open(broken, 'record')).toThrow('unknown format');
  }
});

it('takes no key of another length', () => {
  expect(() => new SecretBox(Buffer.alloc(16))).toThrow(RangeError);
});
