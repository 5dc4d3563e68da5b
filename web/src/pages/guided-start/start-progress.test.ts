import { expect, it } from 'vitest';
import { progressOf } from './start-progress.ts';

it.each([
  ['nothing', null, { step: 'messenger' }],
  ['what another program left', { step: 7, adapter: 'telegram', name: {} }, { step: 'messenger', adapter: 'telegram' }],
  ['a step without what it needs', { step: 'connect', adapter: '' }, { step: 'messenger' }],
  [
    'all of it',
    { step: 'model', adapter: 'telegram', bot_uuid: 'b' },
    { step: 'model', adapter: 'telegram', bot_uuid: 'b' },
  ],
])('reads %s', (_, stored, progress) => {
  expect(progressOf(stored)).toEqual(progress);
});
