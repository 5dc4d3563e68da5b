import { expect, test } from 'vitest';
import { hostBeside } from './link-host.ts';

test.each([
  ['https://evil.example/a', 'click here', 'evil.example'],
  ['https://evil.example/a', 'https://good.example/a', 'evil.example'],
  ['https://evil.example/a', 'good.example', 'evil.example'],
  ['https://evil.example:8443/', 'evil.example', 'evil.example:8443'],
  ['https://good.example@evil.example/', 'https://good.example@evil.example/', 'evil.example'],
  ['https://g\u043e\u043ed.example/', 'https://g\u043e\u043ed.example/', 'xn--gd-fmca.example'],
  ['https://evil.example/', '', 'evil.example'],
  ['mailto:eve@evil.example', 'Support', 'eve@evil.example'],
])('%s with the text %j shows its host', (href, text, host) => {
  expect(hostBeside(href, text)).toBe(host);
});

test.each([
  ['https://example.org/a', 'https://example.org/b'],
  ['https://example.org/a', ' Example.org '],
  ['http://www.example.org', 'www.example.org'],
  ['https://example.org/a', 'example.org/a'],
  ['mailto:ada@example.org', 'ada@example.org'],
  ['not an address', 'text'],
])('%s with the text %j says it already', (href, text) => {
  expect(hostBeside(href, text)).toBeNull();
});
