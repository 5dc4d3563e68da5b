import { expect, it } from 'vitest';
import { allowsAddress } from './host-pattern.ts';

it.each([
  ['api.example.com', 'https://api.example.com/path?a=b'],
  ['api.example.com', 'https://API.Example.com.'],
  ['api.example.com', 'https://api.example.com:443/'],
  ['api.example.com:443', 'https://api.example.com/'],
  ['api.example.com:8443', 'https://api.example.com:8443/'],
  ['*.example.com', 'https://api.example.com/'],
  ['*.example.com', 'https://a.b.example.com/'],
  ['*.example.com:8443', 'https://a.example.com:8443/'],
  ['xn--bcher-kva.example', 'https://bücher.example/'],
  ['*', 'https://example.org/'],
])('%s allows %s', (entry, address) => {
  expect(allowsAddress(entry, new URL(address))).toBe(true);
});

it.each([
  ['api.example.com', 'http://api.example.com/'],
  ['api.example.com', 'http://api.example.com:443/'],
  ['api.example.com', 'https://api.example.com:8443/'],
  ['api.example.com:8443', 'https://api.example.com/'],
  ['api.example.com', 'https://example.com/'],
  ['api.example.com', 'https://api.example.com.evil.example/'],
  ['api.example.com', 'https://evil-api.example.com/'],
  ['api.example.com', 'https://evil.example/api.example.com'],
  ['*.example.com', 'https://example.com/'],
  ['*.example.com', 'https://evilexample.com/'],
  ['*.example.com', 'https://a.example.com:8443/'],
  ['*', 'http://example.org/'],
  ['*', 'https://example.org:8443/'],
  ['*', 'https://127.0.0.1/'],
  ['*', 'https://2130706433/'],
  ['*', 'https://[::1]/'],
  ['*', 'https://localhost/'],
  ['*', 'https://intranet/'],
  ['*', 'ftp://example.org/'],
])('%s does not allow %s', (entry, address) => {
  expect(allowsAddress(entry, new URL(address))).toBe(false);
});
