import { parseMessageChain } from '@parley/sdk';
import type { Chat, Message, Update, User } from 'grammy/types';
import { describe, expect, it } from 'vitest';
import { parseUpdate } from './parse.ts';
import { ada, bob, fileFields, forum, group, incoming, parrot, placeOf, supergroup } from './testing/fixtures.ts';

const parse = (fields: Partial<Message>) => parseUpdate({ update_id: 1, message: incoming(fields) }, parrot);
/** The content of a message, without its `Source` element. */
const contentOf = (fields: Partial<Message>) => parse(fields)?.message_chain.slice(1);

describe('a message', () => {
  it('in a private chat belongs to the user', () => {
    const message = incoming({ text: 'Hello', date: 1_764_000_000 });
    expect(parseUpdate({ update_id: 7, message }, parrot)).toEqual({
      platform_message_id: `1001/${message.message_id}`,
      session_type: 'person',
      session_id: '1001',
      sender_id: '1001',
      sender_name: 'Ada Lovelace',
      message_chain: [
        { type: 'Source', id: message.message_id, timestamp: 1_764_000_000 },
        { type: 'Plain', text: 'Hello' },
      ],
      sent_at: '2025-11-24T16:00:00.000Z',
    });
  });

  it.each([['group', group] as const, ['supergroup', supergroup] as const])('in a %s belongs to it', (_, chat) => {
    const event = parse({ chat, from: bob, text: 'Hi, all' });
    expect(event).toMatchObject({
      platform_message_id: expect.stringMatching(new RegExp(`^${chat.id}/\\d+$`)),
      session_type: 'group',
      session_id: String(chat.id),
      sender_id: '1002',
      sender_name: 'Bob',
    });
    expect(event).not.toHaveProperty('thread_id');
  });

  it('in a topic belongs to the topic, one in a thread of answers does not', () => {
    const inTopic = parse({ chat: forum, text: 'Hi', message_thread_id: 77, is_topic_message: true });
    expect(inTopic?.thread_id).toBe('77');
    expect(parse({ chat: supergroup, text: 'Hi', message_thread_id: 78 })).not.toHaveProperty('thread_id');
  });

  it('is the same however often it comes', () => {
    const message = incoming({ chat: group, text: 'Hi' });
    const [first, second] = [1, 2].map((update_id) => parseUpdate({ update_id, message }, parrot));
    expect(first?.platform_message_id).toBe(second?.platform_message_id);
  });

  it('of an anonymous administrator is one of the group', () => {
    const from = { id: 1_087_968_824, is_bot: true, first_name: 'Group', username: 'GroupAnonymousBot' };
    const event = parse({ chat: supergroup, sender_chat: supergroup, from, text: 'Rules!' });
    expect(event).toMatchObject({ sender_id: String(supergroup.id), sender_name: 'Aviary' });
  });
});

describe('ignored updates', () => {
  const message = incoming({ text: 'Hi' });
  it.each<[string, Partial<Update>]>([
    ['an edit', { edited_message: message as never }],
    ['a post of a channel', { channel_post: message as never }],
    ['an edit of a post', { edited_channel_post: message as never }],
    ['a button', { callback_query: { id: '1' } as never }],
    ['an update of a kind that is not known yet', {}],
    ['a message of another bot', { message: incoming({ from: { ...bob, is_bot: true }, text: 'Beep' }) }],
    [
      'a post that was carried over',
      { message: incoming({ chat: supergroup, is_automatic_forward: true, text: 'News' }) },
    ],
    ['a new member', { message: incoming({ chat: group, new_chat_members: [bob] }) }],
    ['a member who left', { message: incoming({ chat: group, left_chat_member: bob }) }],
    ['a pinned message', { message: incoming({ chat: group, pinned_message: message }) }],
    ['a group that moved', { message: incoming({ chat: group, migrate_to_chat_id: -1001 }) }],
    ['a new topic', { message: incoming({ chat: forum, forum_topic_created: { name: 'x', icon_color: 7322096 } }) }],
    ['a message of a business connection', { message: incoming({ text: 'Hi', business_connection_id: 'b' }) }],
    ['a message that has no number', { message: incoming({ text: 'Hi', message_id: 0 }) }],
    ['a message without a sender', { message: { ...incoming({ text: 'Hi' }), from: undefined as never } }],
  ])('%s', (_, update) => {
    expect(parseUpdate({ update_id: 1, ...update }, parrot)).toBeNull();
  });
});

describe('mentions', () => {
  const withEntities = (text: string, ...entities: object[]) => contentOf({ text, entities: entities as never });

  it('of the bot carry its number, however its name is written', () => {
    const text = 'Say, @Parrot_Bot, hello';
    expect(withEntities(text, { type: 'mention', ...placeOf(text, '@Parrot_Bot') })).toEqual([
      { type: 'Plain', text: 'Say, ' },
      { type: 'At', target: '987654321', display: 'Parrot_Bot' },
      { type: 'Plain', text: ', hello' },
    ]);
  });

  it('of others carry the name, and of those without one the number', () => {
    const text = '@carol and Dora';
    const entities = [
      { type: 'text_mention', ...placeOf(text, 'Dora'), user: { id: 1004, is_bot: false, first_name: 'Dora' } },
      { type: 'mention', ...placeOf(text, '@carol') },
    ];
    expect(withEntities(text, ...entities)).toEqual([
      { type: 'At', target: 'carol', display: 'carol' },
      { type: 'Plain', text: ' and ' },
      { type: 'At', target: '1004', display: 'Dora' },
    ]);
  });

  it('have the right offset after emoji, which are two units or more', () => {
    const text = '👩‍👩‍👧 🦜 @parrot_bot 👋';
    expect(withEntities(text, { type: 'mention', ...placeOf(text, '@parrot_bot') })).toEqual([
      { type: 'Plain', text: '👩‍👩‍👧 🦜 ' },
      { type: 'At', target: '987654321', display: 'parrot_bot' },
      { type: 'Plain', text: ' 👋' },
    ]);
  });

  it('are in commands that name the bot, and not in those for another', () => {
    const text = '/help@parrot_bot me';
    expect(withEntities(text, { type: 'bot_command', ...placeOf(text, '/help@parrot_bot') })).toEqual([
      { type: 'Plain', text: '/help' },
      { type: 'At', target: '987654321', display: 'parrot_bot' },
      { type: 'Plain', text: ' me' },
    ]);
    const other = '/help@other_bot';
    expect(withEntities(other, { type: 'bot_command', offset: 0, length: other.length })).toEqual([
      { type: 'Plain', text: other },
    ]);
  });

  it('are not made of entities outside of the text or over one another', () => {
    const text = '@parrot_bot';
    const mention = { type: 'mention', offset: 0, length: text.length };
    expect(withEntities(text, mention, mention, { type: 'mention', offset: 50, length: 3 })).toEqual([
      { type: 'At', target: '987654321', display: 'parrot_bot' },
    ]);
    expect(withEntities(text, { type: 'mention', offset: -4, length: 2 })).toEqual([{ type: 'Plain', text }]);
  });

  it('leave other formatting alone, but tell where a link leads', () => {
    const text = 'Read this now';
    const entities = [
      { type: 'bold', ...placeOf(text, 'Read') },
      { type: 'text_link', ...placeOf(text, 'this'), url: 'https://example.org/' },
    ];
    const content = withEntities(text, ...entities) as { text: string }[];
    expect(content.map((element) => element.text).join('')).toBe('Read this (https://example.org/) now');
  });
});

describe('files', () => {
  const sizes = (...files: [string, number, number][]) =>
    files.map(([id, width, size]) => ({ ...fileFields(id, size), width, height: width }));

  it('are named in the chain and are still to be fetched', () => {
    const parsed = parse({
      document: { ...fileFields('doc', 12), file_name: 'a.pdf', mime_type: 'application/pdf' },
      caption: 'Look',
    });
    const element = { type: 'File', id: 'doc', name: 'a.pdf', size: 12 };
    expect(parsed?.message_chain.slice(1)).toEqual([{ type: 'Plain', text: 'Look' }, element]);
    expect(parsed?.media).toEqual([{ id: 'doc', name: 'a.pdf', value: { file_id: 'doc', size: 12 } }]);
  });

  it('of photos are the largest that can be stored', () => {
    const megabyte = 1024 * 1024;
    const best = (...files: [string, number, number][]) => parse({ photo: sizes(...files) })?.media?.[0]?.id;
    expect(best(['large', 1280, 300_000], ['small', 90, 1000], ['medium', 320, 20_000])).toBe('large');
    expect(best(['huge', 5000, 11 * megabyte], ['small', 90, 1000], ['medium', 320, megabyte])).toBe('medium');
    expect(best(['huge', 5000, 12 * megabyte], ['large', 2000, 11 * megabyte])).toBe('large');
    expect(contentOf({ photo: sizes(['only', 90, 1000]) })).toEqual([{ type: 'Image', image_id: 'only' }]);
    expect(parse({ photo: [] })).toBeNull();
  });

  it.each<[string, Partial<Message>, object, string]>([
    ['voice', { voice: { ...fileFields('v', 5), duration: 3 } }, { type: 'Voice', voice_id: 'v', length: 3 }, '.ogg'],
    ['audio', { audio: { ...fileFields('a', 5), duration: 60 } }, { type: 'Voice', voice_id: 'a', length: 60 }, '.mp3'],
    [
      'video',
      { video: { ...fileFields('m', 5), width: 1, height: 1, duration: 2 } },
      { type: 'File', id: 'm' },
      '.mp4',
    ],
    [
      'video note',
      { video_note: { ...fileFields('n', 5), length: 9, duration: 2 } },
      { type: 'File', id: 'n' },
      '.mp4',
    ],
    [
      'animation',
      {
        animation: { ...fileFields('g', 5), width: 1, height: 1, duration: 2 },
        document: { ...fileFields('g', 5), file_name: 'g.mp4' },
      },
      { type: 'File', id: 'g' },
      '.mp4',
    ],
    ['sticker', { sticker: sticker({}) }, { type: 'Image', image_id: 's' }, '.webp'],
    ['moving sticker', { sticker: sticker({ is_animated: true }) }, { type: 'File', id: 's' }, '.tgs'],
    ['video sticker', { sticker: sticker({ is_video: true }) }, { type: 'File', id: 's' }, '.webm'],
  ])('of a %s', (_, fields, element, ending) => {
    const { media = [], message_chain = [] } = parse(fields) ?? {};
    expect(message_chain.at(-1)).toMatchObject(element);
    expect(media).toEqual([
      {
        id: expect.any(String),
        name: expect.stringContaining(ending),
        value: { file_id: expect.any(String), size: 5 },
      },
    ]);
  });

  function sticker(over: object) {
    const base = { ...fileFields('s', 5), width: 512, height: 512, is_animated: false, is_video: false };
    return { ...base, type: 'regular', ...over } as NonNullable<Message['sticker']>;
  }
});

describe('content without an element is described as text', () => {
  it.each<[string, object, string]>([
    ['a place', { location: { latitude: 52.5, longitude: 13.4 } }, '[Location] 52.5, 13.4'],
    [
      'a venue',
      {
        location: { latitude: 1, longitude: 2 },
        venue: { location: { latitude: 1, longitude: 2 }, title: 'Zoo', address: 'Road 1' },
      },
      '[Venue] Zoo, Road 1 (1, 2)',
    ],
    ['a contact', { contact: { phone_number: '+49', first_name: 'Eve' } }, '[Contact] Eve +49'],
    ['dice', { dice: { emoji: '🎲', value: 4 } }, '[Dice] 🎲 4'],
    ['a poll', { poll: { question: 'Tea?', options: [{ text: 'Yes' }, { text: 'No' }] } }, '[Poll] Tea?\n- Yes\n- No'],
    ['a checklist', { checklist: { title: 'Shop', tasks: [{ id: 1, text: 'Milk' }] } }, '[Checklist] Shop\n- Milk'],
    ['a game', { game: { title: 'Chess' } }, '[Game] Chess'],
    ['a story', { story: { id: 1 } }, '[Story]'],
    ['paid media', { paid_media: { star_count: 1, paid_media: [] } }, '[Paid media]'],
  ])('%s', (_, fields, text) => {
    expect(contentOf(fields)).toEqual([{ type: 'Unknown', text }]);
  });

  it('or taken as text, when it is a text with headings and lists', () => {
    const blocks = [
      { type: 'heading', size: 1, text: ['News ', { type: 'bold', text: 'today' }] },
      { type: 'list', items: [{ label: '•', blocks: [{ type: 'paragraph', text: 'one' }] }] },
      { type: 'table', cells: [[{ text: 'a' }, { text: 'b' }], [{}]], caption: 'Numbers' },
      {
        type: 'details',
        summary: 'More',
        blocks: [{ type: 'paragraph', text: { type: 'url', text: 'there', url: 'x' } }],
      },
    ];
    expect(contentOf({ rich_message: { blocks } as never })).toEqual([
      { type: 'Plain', text: 'News today\none\na\nb\nNumbers\nMore\nthere' },
    ]);
  });
});

describe('an answer to a message', () => {
  const original = (fields: Partial<Message>) => incoming({ chat: group, ...fields }) as never;

  it('quotes the message it replies to', () => {
    const reply_to_message = original({ message_id: 42, from: parrot, text: 'Pieces of eight' });
    expect(contentOf({ chat: group, text: 'Why?', reply_to_message })).toEqual([
      {
        type: 'Quote',
        id: 42,
        group_id: group.id,
        sender_id: '987654321',
        origin: [{ type: 'Plain', text: 'Pieces of eight' }],
      },
      { type: 'Plain', text: 'Why?' },
    ]);
  });

  it('names the files of the message it replies to, and fetches only its own', () => {
    const reply_to_message = original({ photo: [{ ...fileFields('p', 5), width: 1, height: 1 }], caption: 'Me' });
    const parsed = parse({ chat: group, voice: { ...fileFields('v', 5), duration: 1 }, reply_to_message });
    expect(parsed?.message_chain[1]).toMatchObject({
      type: 'Quote',
      origin: [
        { type: 'Plain', text: 'Me' },
        { type: 'Image', image_id: 'p' },
      ],
    });
    expect(parsed?.media?.map(({ id }) => id)).toEqual(['v']);
  });

  it('quotes the part that was chosen, also of a message elsewhere', () => {
    const quote = { text: 'eight', position: 10 };
    const here = contentOf({ text: 'This', quote, reply_to_message: original({ text: 'Pieces of eight' }) });
    expect(here?.[0]).toMatchObject({ origin: [{ type: 'Plain', text: 'eight' }] });
    const external_reply = { origin: { type: 'hidden_user', date: 1, sender_user_name: 'x' } } as const;
    expect(contentOf({ text: 'That', quote, external_reply })?.[0]).toEqual({
      type: 'Quote',
      origin: [{ type: 'Plain', text: 'eight' }],
    });
  });

  it('means the bot when it replies to a message of the bot in a group', () => {
    const replyTo = (from: User, chat: Chat = group) =>
      parse({ chat, text: 'Why?', reply_to_message: original({ chat, from, text: 'Pieces' }) })?.facts;
    const account: User = { ...parrot, is_bot: true, first_name: 'Parrot' };
    expect(replyTo(account)).toEqual({ bot_mentions: ['reply'] });
    expect(replyTo(bob)).toBeUndefined();
    expect(replyTo(account, { id: ada.id, type: 'private', first_name: 'Ada' })).toBeUndefined();
  });

  it('quotes nothing when it is only in a topic', () => {
    const reply_to_message = original({ chat: forum, forum_topic_created: { name: 'x', icon_color: 7322096 } });
    const fields = { chat: forum, text: 'Hi', message_thread_id: 5, is_topic_message: true, reply_to_message };
    expect(contentOf(fields)).toEqual([{ type: 'Plain', text: 'Hi' }]);
  });
});

it('every chain is one that the service takes from its own users, too', () => {
  const messages: Partial<Message>[] = [
    { text: 'Hello', reply_to_message: incoming({ text: 'Hi', from: bob }) as never },
    { document: fileFields('d', 1), caption: 'x' },
    { voice: { ...fileFields('v', 1), duration: 2 } },
    { location: { latitude: 1, longitude: 2 } },
    { from: ada, chat: group, text: '@x', entities: [{ type: 'mention', offset: 0, length: 2 }] },
  ];
  for (const fields of messages) {
    const chain = parse(fields)?.message_chain;
    expect(parseMessageChain(structuredClone(chain))).toEqual(chain);
  }
});
