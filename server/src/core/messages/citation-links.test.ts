import { afterEach, describe, expect, it, vi } from 'vitest';
import { newUuid } from '../../lib/uuid.ts';
import { CitationLinks } from './citation-links.ts';

const key = Buffer.alloc(32, 7);
const address = 'https://bots.example.com/parley';
const links = new CitationLinks(key, address);
const message_uuid = newUuid();
const day = 24 * 3_600_000;

function tokenOf(link: string | null): string {
  return link?.slice(`${address}/cited/`.length) ?? '';
}

describe('a link to a citation', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('names its citation and when it expires', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) });
    const link = links.link({ message_uuid, number: 3 }, 7);
    expect(link).toMatch(/^https:\/\/bots\.example\.com\/parley\/cited\/[A-Za-z0-9_-]{76}$/);
    expect(links.read(tokenOf(link))).toEqual({ message_uuid, number: 3, expires_at: Date.UTC(2026, 0, 8) });
    vi.setSystemTime(Date.now() + 8 * day);
    expect(links.read(tokenOf(link))?.expires_at).toBe(Date.UTC(2026, 0, 8));
  });

  it('is refused when any character of it is altered', () => {
    const token = tokenOf(links.link({ message_uuid, number: 1 }, 7));
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'A' ? 'B' : 'A';
      expect(links.read(token.slice(0, at) + other + token.slice(at + 1)), `at ${at}`).toBeNull();
    }
  });

  it.each([
    '',
    'a',
    'A'.repeat(76),
    'A'.repeat(75),
    'A'.repeat(77),
    '+'.repeat(76),
    '😀'.repeat(38),
    '../../etc/passwd',
  ])('is not %j', (token) => {
    expect(links.read(token)).toBeNull();
  });

  it('is refused with spaces, padding or more behind it', () => {
    const token = tokenOf(links.link({ message_uuid, number: 1 }, 7));
    for (const other of [` ${token}`, `${token}=`, `${token}AAAA`, `${token}\n`, token.slice(4)]) {
      expect(links.read(other)).toBeNull();
    }
  });

  it('of another installation is refused', () => {
    const others = new CitationLinks(Buffer.alloc(32, 8), address);
    expect(links.read(tokenOf(others.link({ message_uuid, number: 1 }, 7)))).toBeNull();
  });

  it.each([
    ['a public URL', null, { message_uuid, number: 1 }],
    ['a number', address, { message_uuid, number: 0 }],
    ['a number that is one', address, { message_uuid, number: 1.5 }],
    ['a number that fits', address, { message_uuid, number: 65_536 }],
    ['a message', address, { message_uuid: 'x', number: 1 }],
  ])('is not made without %s', (_, publicUrl, citation) => {
    expect(new CitationLinks(key, publicUrl).link(citation, 7)).toBeNull();
  });
});
