import { expect, it } from 'vitest';
import { parseTarget } from './chat.ts';

it.each([
  ['1001', '1001', ''],
  ['-1001234567890', '-1001234567890', ''],
  ['@aviary', '@aviary', ''],
  ['-1001234567890#77', '-1001234567890', '77'],
  ['@aviary#77', '@aviary', '77'],
])('the target %s is the chat %s, topic "%s"', (targetId, session_id, thread_id) => {
  expect(parseTarget(targetId)).toEqual({ session_id, thread_id });
});

it.each(['', '#', '#77', '-100#', '-100#x', '-100#7#8', '-100#-7', '-100#0', `1#${'9'.repeat(16)}`, '1\n#2#'])(
  'the target %j is refused',
  (targetId) => {
    expect(() => parseTarget(targetId)).toThrow(expect.objectContaining({ reason: 'invalid_request' }));
  },
);
