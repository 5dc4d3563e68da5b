import { expect, it } from 'vitest';
import { isProxyUrl, proxyOrigin } from './proxy-url.ts';

it.each([
  ['http://proxy.example:3128', 'http://proxy.example:3128'],
  ['https://user:p%40ss@proxy.example/', 'https://proxy.example'],
  ['HTTP://[::1]:8080', 'http://[::1]:8080'],
])('%s is a proxy', (text, origin) => {
  expect(proxyOrigin(text)).toBe(origin);
});

it.each([
  '',
  'proxy.example:3128',
  'socks5://proxy.example',
  'http://',
  'http://proxy.example/path',
  'http://user:%zz@proxy.example',
  'http://proxy.example/?a=b',
  'http://proxy.example/#a',
  'http://proxy.example:99999',
  'http://pro xy.example',
  'http://proxy.example\r\nx: y',
  'file:///etc/passwd',
])('%j is none', (text) => {
  expect([isProxyUrl(text), proxyOrigin(text)]).toEqual([false, null]);
});
