import { expect, test } from 'vitest';
import { imageSource } from './image-source.ts';

const server = 'https://bots.example.org/parley';

test.each([
  ['data:image/png;base64,AAAA', 'data:image/png;base64,AAAA'],
  ['/parley/api/v1/files/image/abc.png', `${server}/api/v1/files/image/abc.png`],
  [`${server}/api/v1/files/image/abc.png`, `${server}/api/v1/files/image/abc.png`],
])('%s is here', (address, shown) => {
  expect(imageSource(address, server)).toEqual({ place: 'here', address: shown });
});

test.each([
  ['https://evil.example/steal?d=1', 'evil.example'],
  ['HTTP://192.168.1.1:8080/reboot', '192.168.1.1:8080'],
  ['https://bots.example.org:8443/parley/api/v1/files/image/abc.png', 'bots.example.org:8443'],
  ['https://bots.example.org.evil.example/parley/api/v1/files/image/abc.png', 'bots.example.org.evil.example'],
  ['https://bots.example.org@evil.example/parley/api/v1/files/image/a', 'evil.example'],
  // The same origin, and no image of a message.
  [`${server}/api/v1/files/image/../../user/info`, 'bots.example.org'],
  [`${server}/api/v1/files/image/%2e%2e/%2e%2e/user/info`, 'bots.example.org'],
])('%s is elsewhere', (address, host) => {
  expect(imageSource(address, server)).toEqual({ place: 'elsewhere', address: new URL(address).href, host });
});

test.each([
  'data:text/html,x',
  'javascript:alert(1)',
  '/parley/api/v1/system/info',
  '/parley/api/v1/files/image/../../system/info',
  '//evil.example/parley/api/v1/files/image/a.png',
  'blob:https://bots.example.org/1',
  'file:///etc/passwd',
  'mailto:a@example.org',
  'https://',
  'x',
  '',
])('%j is no image', (address) => {
  expect(imageSource(address, server)).toBeNull();
});
