import { describe, expect, it } from 'vitest';
import { parseMessage } from './parse.ts';

const bot = { accountId: 'aib1', name: 'My Parrot' };
const group = { msgid: 'm1', chattype: 'group', chatid: 'wr1', from: { userid: 'ada' } };
const contentOf = (body: object, names = bot) =>
  parseMessage({ ...group, ...body }, names)?.event.message_chain.slice(1);
const text = (content: unknown) => ({ msgtype: 'text', text: { content } });
const at = { type: 'At', target: 'aib1', display: 'My Parrot' };

describe('a group message', () => {
  it.each<[string, object, object[]]>([
    ['starts with the name', text('@My Parrot  hello'), [at, { type: 'Plain', text: 'hello' }]],
    ['is the name alone', text('@My Parrot'), [at]],
    [
      'starts with another name of the bot',
      text('@Parrot hello'),
      [
        { ...at, display: 'Parrot' },
        { type: 'Plain', text: 'hello' },
      ],
    ],
    ['names it later', text('hello @My Parrot'), [at, { type: 'Plain', text: 'hello @My Parrot' }]],
    [
      'has a picture before it',
      {
        msgtype: 'mixed',
        mixed: { msg_item: [{ msgtype: 'image', image: { url: 'https://files.example/1' } }, text('@My Parrot look')] },
      },
      [at, { type: 'Image', image_id: 'm1-1' }, { type: 'Plain', text: 'look' }],
    ],
  ])('%s', (_, body, expected) => expect(contentOf(body)).toEqual(expected));

  it('needs no name', () => {
    expect(contentOf(text('@Parrot hello'), { accountId: 'aib1', name: '' })).toEqual([
      { type: 'At', target: 'aib1', display: 'Parrot' },
      { type: 'Plain', text: 'hello' },
    ]);
  });
});

it('reads quotes with their files', () => {
  const quote = { msgtype: 'file', file: { url: 'https://files.example/2', aeskey: 'a2V5' } };
  const parsed = parseMessage({ ...group, chattype: 'single', ...text('What is this?'), quote }, bot);
  expect(parsed?.event).toMatchObject({
    session_type: 'person',
    session_id: 'ada',
    message_chain: [
      { type: 'Source' },
      { type: 'Quote', origin: [{ type: 'File', id: 'm1-1', name: 'file' }] },
      { type: 'Plain', text: 'What is this?' },
    ],
    media: [{ id: 'm1-1', value: { url: 'https://files.example/2', key: 'a2V5' } }],
  });
});

it.each<[string, object, object[]]>([
  ['voice', { msgtype: 'voice', voice: { content: 'What I said' } }, [{ type: 'Plain', text: 'What I said' }]],
  [
    'link',
    { msgtype: 'link', link: { title: 'News', desc: 7, url: 'https://news.example' } },
    [{ type: 'Plain', text: 'News\nhttps://news.example' }],
  ],
  ['file without an address', { msgtype: 'file', file: [] }, [{ type: 'Unknown', text: '[file]' }]],
  [
    'mixed inside of mixed',
    { msgtype: 'mixed', mixed: { msg_item: [{ msgtype: 'mixed', mixed: { msg_item: [text('a')] } }, 7] } },
    [
      { type: 'Unknown', text: '[mixed]' },
      { type: 'Unknown', text: '[unknown]' },
    ],
  ],
])('reads %s', (_, body, expected) => {
  expect(contentOf({ ...body, chattype: 'single' })).toEqual(expected);
});

it.each<[string, object]>([
  ['without an id', { ...group, ...text('a'), msgid: '' }],
  ['without a user', { ...group, ...text('a'), from: 'ada' }],
  ['of a group without an id', { ...group, ...text('a'), chatid: 'a\nb' }],
  ['without a kind', group],
  ['without content', { ...group, ...text(' '), chattype: 'single' }],
])('is none %s', (_, body) => expect(parseMessage(body as Record<string, unknown>, bot)).toBeNull());
