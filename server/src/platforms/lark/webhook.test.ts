import type { ParleyError } from '@parley/sdk';
import { expect, it } from 'vitest';
import { encrypted, signed } from './testing/fake-events.ts';
import { decryptText, readEvent, verifyAddress } from './webhook.ts';

const key = 'the key of the test';
const request = (body: Uint8Array, headers: Record<string, string> = {}, over = {}) => ({
  method: 'POST' as const,
  path: '',
  query: {},
  headers,
  body,
  ...over,
});
const reasonOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return (error as ParleyError).reason;
  }
  return null;
};

// https://open.feishu.cn/document/server-docs/event-subscription-guide/event-subscription-configure-/encrypt-key-encryption-configuration-case
it('decrypts the example of the documentation', () => {
  expect(decryptText('P37w+VZImNgPEO1RBhJ6RtKl7n6zymIbEG1pReEzghk=', 'test key')).toBe('hello world');
});

it('reads a signed event', () => {
  const body = encrypted({ header: {} }, key);
  expect(readEvent(key, request(body, signed(body, key, Date.now())))).toMatchObject({ event: { header: {} } });
});

it.each([
  ['a GET', { method: 'GET' as const }, 'invalid_request'],
  ['a path', { path: 'other' }, 'invalid_request'],
  ['no body', { body: Buffer.alloc(0) }, 'invalid_signature'],
])('refuses %s', (_, over, reason) => {
  const body = encrypted({}, key);
  expect(reasonOf(() => readEvent(key, request(body, signed(body, key, Date.now()), over)))).toBe(reason);
});

it.each([
  ['no JSON', Buffer.from('{'), 'invalid_request'],
  ['no object', Buffer.from('[1]'), 'invalid_request'],
  ['what is not encrypted', Buffer.from('{"type":"event"}'), 'invalid_request'],
  ['what was encrypted with another key', encrypted({}, 'another'), 'invalid_signature'],
  ['broken text', Buffer.from('{"encrypt":"AAAA"}'), 'invalid_signature'],
])('refuses a signed body with %s', (_, body, reason) => {
  expect(reasonOf(() => readEvent(key, request(body, signed(body, key, Date.now()))))).toBe(reason);
});

it('refuses everything without a key', () => {
  const body = encrypted({}, '');
  expect(reasonOf(() => readEvent('', request(body, signed(body, '', Date.now()))))).toBe('invalid_signature');
});

it('answers a challenge, and nothing else', () => {
  const body = encrypted({ type: 'url_verification', challenge: 'abc', token: 't' }, key);
  expect(verifyAddress(key, request(body))).toMatchObject({ status: 200, body: '{"challenge":"abc"}' });
  expect(verifyAddress(key, request(encrypted({ type: 'event_callback' }, key)))).toBeNull();
  expect(verifyAddress(key, request(encrypted({ type: 'url_verification', challenge: 7 }, key)))).toBeNull();
  expect(verifyAddress(key, request(Buffer.from('{"type":"url_verification","challenge":"abc"}')))).toBeNull();
  expect(verifyAddress(key, request(body, {}, { method: 'GET' }))).toBeNull();
  expect(reasonOf(() => verifyAddress('another', request(body)))).toBe('invalid_signature');
});
