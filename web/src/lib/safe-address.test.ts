import { expect, test } from 'vitest';
import { safeImageAddress, safeLinkAddress } from './safe-address.ts';

test.each(['https://example.org/a?b#c', 'HTTP://example.org', 'mailto:somebody@example.org'])(
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

test.each(['https://example.org/a.png', 'data:image/png;base64,AAAA'])('pictures come from %s', (address) => {
  expect(safeImageAddress(address)).toBe(address);
});

test.each(['data:text/html,x', 'javascript:alert(1)', '/api/v1/system/info', 'x', 'mailto:a@example.org'])(
  'pictures do not come from %j',
  (address) => {
    expect(safeImageAddress(address)).toBeNull();
  },
);
