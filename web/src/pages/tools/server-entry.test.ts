import { expect, it } from 'vitest';
import { entryOf, newEntry, requestOf } from './server-entry.ts';

it('sends what the mode takes and comes back as it was', () => {
  const stored = {
    name: 'Search',
    mode: 'sse' as const,
    extra_args: {
      url: 'https://tools.example.org/sse',
      headers: { Authorization: 'Bea…wxyz' },
      timeout: 5,
      ssereadtimeout: 60,
    },
  };
  expect(requestOf(entryOf(stored))).toEqual(stored);
  expect(requestOf({ ...entryOf(stored), mode: 'http' }).extra_args).not.toHaveProperty('ssereadtimeout');
});

it('leaves out lines without a name', () => {
  const entry = {
    ...newEntry,
    mode: 'stdio' as const,
    command: ' uvx ',
    env: [
      { name: ' ', value: 'x' },
      { name: 'A ', value: '1' },
    ],
  };
  expect(requestOf(entry).extra_args).toEqual({ command: 'uvx', args: [], env: { A: '1' } });
});
