import { expect, it } from 'vitest';
import { mediaTypeOf } from './media-type.ts';

it.each([
  ['a PDF', Buffer.from('%PDF-1.7\n%âãÏÓ\n'), 'application/pdf'],
  ['a PNG', Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'), 'image/png'],
  ['a text', Buffer.from('Hello, 世界\n'), 'text/plain'],
  ['a text that is cut inside a character', Buffer.from('世界').subarray(0, 4), 'text/plain'],
  ['HTML, which is not to be shown as such', Buffer.from('<script>alert(1)</script>'), 'text/plain'],
  ['bytes', Buffer.from([1, 2, 0, 255]), 'application/octet-stream'],
  ['bytes that are no text', Buffer.from([0xc3, 0x28, 0x41]), 'application/octet-stream'],
  ['nothing', Buffer.alloc(0), 'text/plain'],
])('knows %s', async (_, head, type) => {
  expect(await mediaTypeOf(head)).toBe(type);
});
