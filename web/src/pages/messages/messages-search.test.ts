import { expect, it } from 'vitest';
import { messagesSearch } from './messages-search.ts';

const bot = '0190c1d2-0000-7000-8000-000000000001';

it('keeps what can be looked for', () => {
  const search = {
    tab: 'errors',
    bot,
    text: 'a "quoted" text',
    state: 'failed',
    reason: 'provider_failed',
    direction: 'inbound',
    type: 'group',
    person: 'ada',
    range: '7d',
    page: 3,
    opinion: 'dislike',
  };
  expect(messagesSearch(search)).toEqual(search);
  expect(messagesSearch({ text: 404, person: 7, page: '2' })).toEqual({ text: '404', person: '7', page: 2 });
});

it.each([
  ['tab', 'secrets'],
  ['bot', "' or 1=1"],
  ['pipeline', {}],
  ['text', ''],
  ['text', 'x'.repeat(201)],
  ['state', 'happy'],
  ['reason', 'Two Words'],
  ['direction', 'sideways'],
  ['person', 'x'.repeat(256)],
  ['page', 1],
  ['page', -3],
  ['page', 1e20],
  ['range', '1y'],
])('leaves out %s when it is %j', (name, value) => {
  expect(messagesSearch({ [name]: value })).toEqual({});
});
