import { expect, it } from 'vitest';
import { ownSources } from './own-sources.ts';

it.each([
  ['127.0.0.1:5300', null, '127.0.0.1:5300/pages/'],
  ['bots.example.com', 'https://bots.example.com', 'bots.example.com/pages/'],
  // A proxy that names itself, and one that does not.
  ['10.0.0.5:5300', 'https://bots.example.com/', '10.0.0.5:5300/pages/ bots.example.com/pages/'],
  ['10.0.0.5:5300', 'https://bots.example.com:8443', '10.0.0.5:5300/pages/ bots.example.com:8443/pages/'],
  // Policies have no IPv6 addresses.
  ['[::1]:5300', null, "'self'"],
  ['[::1]:5300', 'https://bots.example.com', "bots.example.com/pages/ 'self'"],
  ["evil.example; script-src 'unsafe-inline'", null, "'self'"],
  ['evil.example, *', null, "'self'"],
  ['*', null, "'self'"],
  ['', null, "'self'"],
])('the sources of %s with the public address %s are %s', (host, publicUrl, sources) => {
  expect(ownSources({ host }, publicUrl, '/pages/')).toBe(sources);
});
