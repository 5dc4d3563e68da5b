import { expect, test } from 'vitest';
import { recordAddress } from './record-address.ts';

const pages = ['/bots', '/models/$kind/$uuid', '/bots/$uuid', '/system', '/account'];

test.each([
  ['bot', 'a/b', '/bots/a%2Fb', {}],
  ['language-model', 'm', '/models/llm/m', {}],
  ['task', '7', '/system', { tab: 'tasks', task: '7' }],
  ['session', '', '/account', {}],
])('%s %j is at %s', (kind, id, to, search) => {
  expect(recordAddress(kind, id, pages)).toEqual({ to, search });
});

test.each([
  ['bot', ''],
  ['pipeline', 'x'],
  ['file', 'x'],
])('%s %j is nowhere', (kind, id) => {
  expect(recordAddress(kind, id, pages)).toBeNull();
});
