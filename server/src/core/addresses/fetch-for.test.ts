import { expect, it } from 'vitest';
import { cacheClients, type FetchFor } from './fetch-for.ts';

it('gives one client for the same addresses, and others for any other', () => {
  const asked: (readonly string[] | null)[] = [];
  const fetchFor: FetchFor = cacheClients((adminAddresses) => {
    asked.push(adminAddresses);
    return () => Promise.reject(new Error('no call expected'));
  });
  const kinds = [null, [], ['https://a.example'], ['https://b.example'], ['https://a.example', 'https://b.example']];
  const clients = kinds.map(fetchFor);
  expect(new Set(clients).size).toBe(kinds.length);
  expect(structuredClone(kinds).map(fetchFor)).toEqual(clients);
  expect(asked).toEqual(kinds);
});
