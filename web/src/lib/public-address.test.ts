import { expect, it } from 'vitest';
import { isPublicAddress } from './public-address.ts';

it.each([
  'https://bots.example.com/bots/1',
  'https://203.0.113.5:8443/bots/1',
  'https://172.32.0.1/',
  'https://10.example.com/',
])('%s may be reached by a platform', (address) => expect(isPublicAddress(address)).toBe(true));

it.each([
  'http://bots.example.com/bots/1',
  'https://localhost:5300/bots/1',
  'https://127.0.0.1/bots/1',
  'https://10.0.0.1/bots/1',
  'https://192.168.1.4/bots/1',
  'https://172.16.0.1/bots/1',
  'https://[::1]/bots/1',
  'https://[fd00::1]/bots/1',
  'https://parley.local/bots/1',
  '/bots/1',
  '',
])('%s may not', (address) => expect(isPublicAddress(address)).toBe(false));
