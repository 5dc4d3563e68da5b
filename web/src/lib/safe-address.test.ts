import { expect, test } from 'vitest';
import { safeLinkAddress } from './safe-address.ts';

test.each(['https://example.org/a?b#c', 'HTTP://example.org', 'mailto:someone@example.org'])(
  'links lead to %s',
  (address) => {
    expect(safeLinkAddress(address)).toBe(address);
  },
);

test.each([
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://example.org/1',
  '//example.org',
  '/api/v1/user/sign-out',
  '#anchor',
  '',
])('links do not lead to %j', (address) => {
  expect(safeLinkAddress(address)).toBeNull();
});
