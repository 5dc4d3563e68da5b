import { describe, expect, it } from 'vitest';
import { asDeliveryError, failureIn, oldFailureIn } from './failure.ts';
import { createDingTalk } from './index.ts';

const responseOf = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers: new Headers(headers),
  body,
});

describe('a refusal of the API', () => {
  it.each([
    [400, 'InvalidAuthentication', { kind: 'not_sent', reason: 'platform_failed' }],
    [400, 'invalidParameter.userIds.empty', { kind: 'refused', reason: 'unknown_target' }],
    [400, 'invalidParameter.openConversationId', { kind: 'refused', reason: 'unknown_target' }],
    [400, 'invalidParameter.msgParam', { kind: 'refused', reason: 'platform_failed' }],
    [403, 'Forbidden.AccessDenied.QpsLimitForAppkeyAndApi', { kind: 'not_sent', rateLimit: { scope: 'bot' } }],
    [403, 'Forbidden.AccessDenied.AccessTokenPermissionDenied', { kind: 'refused', reason: 'platform_failed' }],
    [403, 'Forbidden.AccessDenied.IpNotInWhiteList', { kind: 'refused', reason: 'platform_failed' }],
    [500, 'ServiceUnavailable', { kind: 'unknown' }],
    [503, 'somethingNew', { kind: 'unknown' }],
    [429, 'somethingNew', { kind: 'not_sent', reason: 'quota' }],
  ])('with status %i and the code %s', (status, code, expected) => {
    const failure = failureIn(responseOf(status, { code, message: 'why' }));
    expect(asDeliveryError(failure)).toMatchObject(expected);
    expect(failure?.message).toContain(code);
  });

  it('names the permission that the app lacks', () => {
    const code = 'Forbidden.AccessDenied.AccessTokenPermissionDenied';
    const accessdenieddetail = { requiredScopes: ['Card.Streaming.Write', 7] };
    const failure = failureIn(responseOf(403, { code, message: 'why', accessdenieddetail }));
    expect(failure?.scopes).toEqual(['Card.Streaming.Write']);
    expect(asDeliveryError(failure).message).toContain('missing permission: Card.Streaming.Write');
  });

  it('may name the end of a rate limit', () => {
    const failure = failureIn(responseOf(429, { code: 'Throttling' }, { 'retry-after': '30' }));
    expect(asDeliveryError(failure).rateLimit).toEqual({ pauseMs: 30_000, scope: 'bot' });
  });

  it.each([
    [200, undefined],
    [502, undefined],
    [502, '<html>'],
  ])('is not what comes with status %i and the body %j, which tells nothing', (status, body) => {
    expect(asDeliveryError(failureIn(responseOf(status, body))).kind).toBe('unknown');
  });
});

describe('a refusal of a session webhook', () => {
  it.each([
    [{ errcode: -1 }, { kind: 'unknown' }],
    [{ errcode: 130101 }, { kind: 'not_sent', rateLimit: { pauseMs: null, scope: 'chat' } }],
    [
      { errcode: 88, sub_code: '90018' },
      { kind: 'not_sent', rateLimit: { scope: 'bot' } },
    ],
    [
      { errcode: 88, sub_code: '40014' },
      { kind: 'not_sent', reason: 'platform_failed' },
    ],
    [{ errcode: 400013 }, { kind: 'refused', reason: 'unknown_target' }],
    [{ errcode: 300001 }, { kind: 'refused', reason: 'reply_expired' }],
    [{ errcode: 430104 }, { kind: 'refused', reason: 'platform_failed' }],
    [{}, { kind: 'unknown' }],
  ])('with %j', (body, expected) => {
    expect(asDeliveryError(oldFailureIn(responseOf(200, { errmsg: 'why', ...body })))).toMatchObject(expected);
  });

  it('is none with the code 0', () => expect(oldFailureIn(responseOf(200, { errcode: 0 }))).toBeNull());
});

it('streams at the interval that is configured', () => {
  const { capabilitiesOf } = createDingTalk();
  const streams = (isStreamed: boolean) =>
    capabilitiesOf?.({ 'enable-stream-reply': isStreamed, card_update_ms: 5000 }).streams;
  expect(streams(true)).toMatchObject({ person: { interval_ms: 5000 }, group: { interval_ms: 5000 } });
  expect(streams(false)).toEqual({});
});
