import { createHmac } from 'node:crypto';
import { fakePlatformContext } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isSameText, type SentSignature, verifyFirstUse, verifySignature } from './signed-request.ts';

describe('verifySignature', () => {
  const body = Buffer.from([0, 255, 123]);
  const mac = (encoding: 'hex' | 'base64', key = 'key') =>
    createHmac('sha256', key).update('v0:1700000000:').update(body).digest(encoding);
  const sent = (over: Partial<SentSignature> = {}): SentSignature => ({
    value: mac('hex'),
    encoding: 'hex',
    algorithm: 'sha256',
    key: 'key',
    content: ['v0:1700000000:', body],
    ...over,
  });

  it.each([
    ['hex', {}],
    ['upper-case hex', { value: mac('hex').toUpperCase() }],
    ['base64', { value: mac('base64'), encoding: 'base64' as const }],
  ])('accepts a valid one in %s', (_, over) => {
    // One spelling, so that no other one is a request of its own.
    expect(verifySignature(sent(over))).toBe(mac(sent(over).encoding));
  });

  it.each([
    ['is missing', { value: undefined }],
    ['is empty', { value: '' }],
    ['was made with another key', { value: mac('hex', 'another') }],
    ['is of another body', { content: ['v0:1700000000:', Buffer.from([0, 255, 124])] }],
    ['is cut off', { value: mac('hex').slice(0, -1) }],
    ['is longer', { value: `${mac('hex')}00` }],
    ['is not ASCII', { value: '你'.repeat(64) }],
    ['has another case in base64', { value: mac('base64').toLowerCase(), encoding: 'base64' as const }],
    ['was made with no key, as none is configured', { value: mac('hex', ''), key: '' }],
  ])('refuses one that %s', (_, over) => {
    expect(() => verifySignature(sent(over))).toThrow(expect.objectContaining({ reason: 'invalid_signature' }));
  });
});

describe('isSameText', () => {
  it('compares whole texts of any length', () => {
    expect(isSameText('token 你', 'token 你')).toBe(true);
    for (const other of ['', 'token', 'token 你 ', 'TOKEN 你']) expect(isSameText(other, 'token 你')).toBe(false);
  });
});

describe('verifyFirstUse', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }));
  afterEach(() => void vi.useRealTimers());
  const refusal = expect.objectContaining({ reason: 'invalid_signature' });

  it('accepts a request once within the window, on both sides of it', async () => {
    const context = fakePlatformContext();
    for (const offset of [0, -300_000, 300_000]) {
      const request = { id: String(offset), sentAt: Date.now() + offset };
      await verifyFirstUse(context, request);
      await expect(verifyFirstUse(context, request)).rejects.toEqual(refusal);
    }
  });

  it.each([-300_001, 300_001, Number.NaN, Number.POSITIVE_INFINITY])('refuses one %s ms away', async (offset) => {
    const isFirstUse = vi.fn();
    const request = { id: 'nonce', sentAt: Date.now() + offset };
    await expect(verifyFirstUse({ isFirstUse }, request)).rejects.toEqual(refusal);
    expect(isFirstUse).not.toHaveBeenCalled();
  });

  it('lets it be remembered until its timestamp alone refuses it', async () => {
    const isFirstUse = vi.fn(async () => true);
    const sentAt = Date.now() + 1000;
    await verifyFirstUse({ isFirstUse }, { id: 'nonce', sentAt, window: 60_000 });
    const expiresAt = (isFirstUse.mock.calls as unknown[][])[0]?.[1] as Date;
    expect(expiresAt.getTime()).toBeGreaterThan(sentAt + 60_000);
  });
});
