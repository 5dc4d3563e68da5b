import { expect, it } from 'vitest';
import { hidingSecrets } from './hiding-secrets.ts';

it.each([
  ['GET https://example.com/bot123456:token/getMe failed', 'GET https://example.com/bot…/getMe failed'],
  ['?token=123456%3Atoken&again=123456:token', '?token=…&again=…'],
  ['123456:token and more', '…'],
  ['nothing', 'nothing'],
  ['short', 'short'],
])('hides secrets in %j', (text, shown) => {
  expect(hidingSecrets(['123456:token', '123456:token and more', 'short', '\ud800'])(text)).toBe(shown);
});

it('takes a secret as it is, not as a pattern', () => {
  expect(hidingSecrets(['.*secret$&'])('a .*secret$& b')).toBe('a … b');
  expect(hidingSecrets(['.......'])('1234567')).toBe('1234567');
});
