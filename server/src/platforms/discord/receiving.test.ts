import { type MessageElement, type MessageEvent, textOfChain } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { adapterTests, outgoing, plain } from './testing/start-adapter.ts';

const tests = adapterTests();

/** Sends any message object, with a new id. @returns what was received of it */
async function received(object: Record<string, unknown>): Promise<MessageEvent | undefined> {
  const { context } = await tests.start();
  await dispatch('MESSAGE_CREATE', messageObject(object));
  return context.received[0];
}

const messageObject = (over: Record<string, unknown>): Record<string, unknown> => {
  const { world } = tests.fake;
  const message = world.addMessage({ channel: world.general.id, author: world.user, content: '' });
  return { ...world.messageObject(message), guild_id: world.guild.id, ...over };
};

async function dispatch(type: string, data: unknown): Promise<void> {
  await tests.fake.gateway.processed(tests.fake.gateway.dispatch(type, data), 2000);
}

const content = (event: MessageEvent | undefined): MessageElement[] =>
  (event?.message_chain ?? []).filter(({ type }) => type !== 'Source');

describe('where a message is', () => {
  it('is a channel with its name', async () => {
    const event = await received({ content: 'Hello' });
    expect(event).toMatchObject({ session_type: 'group', sender_name: 'Ada', facts: { group_name: 'general' } });
    expect(event?.thread_id).toBeUndefined();
  });

  it('is the channel of a thread that no event told of', async () => {
    const { context } = await tests.start();
    const { world } = tests.fake;
    const forum = world.addChannel({ type: 15, name: 'help', guild_id: world.guild.id });
    const post = world.addChannel({ type: 11, name: 'A post', guild_id: world.guild.id, parent_id: forum.id });
    await dispatch('MESSAGE_CREATE', messageObject({ channel_id: post.id, content: 'Help' }));
    await dispatch('MESSAGE_CREATE', messageObject({ channel_id: post.id, content: 'Please' }));
    expect(context.received).toMatchObject([
      { session_id: forum.id, thread_id: post.id },
      { session_id: forum.id, thread_id: post.id },
    ]);
    expect(tests.fake.rest.log.filter(({ path }) => path === `/channels/${post.id}`)).toHaveLength(1);
  });

  it('is the category of no channel', async () => {
    const { context } = await tests.start();
    const { world } = tests.fake;
    const category = world.addChannel({ type: 4, name: 'Talk', guild_id: world.guild.id });
    const channel = world.addChannel({ type: 0, name: 'in it', guild_id: world.guild.id, parent_id: category.id });
    await dispatch('CHANNEL_CREATE', channel);
    await dispatch('MESSAGE_CREATE', messageObject({ channel_id: channel.id, content: 'Hello' }));
    expect(context.received).toMatchObject([{ session_id: channel.id }]);
  });

  it('is found again when Discord fails for a moment', async () => {
    const { context } = await tests.start();
    const { world } = tests.fake;
    const other = world.addChannel({ type: 0, name: 'other', guild_id: world.guild.id });
    tests.fake.fail('any', 'server_error', 2);
    await dispatch('MESSAGE_CREATE', messageObject({ channel_id: other.id, content: 'Hello' }));
    expect(context.received).toMatchObject([{ session_id: other.id, facts: { group_name: 'other' } }]);
  });
});

describe('mentions', () => {
  it('in a text are elements, or can be read', async () => {
    const { userId, accountId, world } = tests.fake;
    const event = await received({
      content: `<@!${accountId}> and <@${userId}>, <@&${world.roles[1].id}> in <#${world.general.id}> <:wave:1> <a:dance:2> <t:0:F> </help:3> @here`,
      mentions: [{ ...world.user, member: { nick: 'Countess' } }],
      mention_roles: [world.roles[1].id],
    });
    expect(content(event)).toEqual([
      { type: 'At', target: accountId, display: accountId },
      { type: 'Plain', text: ' and ' },
      { type: 'At', target: userId, display: 'Countess' },
      { type: 'Plain', text: ', @Admins in #general :wave: :dance: 1970-01-01T00:00:00.000Z /help @here' },
    ]);
    expect(event?.facts?.bot_mentions).toBeUndefined();
  });

  it('of roles are read after a resumed session, too', async () => {
    const { adapter, context } = await tests.start();
    await adapter.stop();
    const other = await tests.start({ context: { state: context.state } });
    const { roles } = tests.fake.world;
    await dispatch('MESSAGE_CREATE', messageObject({ content: `<@&${roles[0].id}>`, mention_roles: [roles[0].id] }));
    expect(other.context.received[0]?.facts?.bot_mentions).toEqual(['role']);
    expect(content(other.context.received[0])).toEqual([{ type: 'Plain', text: '@Parrots' }]);
  });

  it('are received, however many there are', async () => {
    const event = await received({ content: '<@1> '.repeat(800) });
    expect(textOfChain(event?.message_chain ?? [])).toBe('@1 '.repeat(800));
    expect(event?.message_chain.length).toBeLessThan(310);
  });

  it('of everyone are an element', async () => {
    const event = await received({ content: '@here we go', mention_everyone: true });
    expect(content(event)).toEqual([{ type: 'AtAll' }, { type: 'Plain', text: ' we go' }]);
    expect(event?.facts?.bot_mentions).toEqual(['everyone']);
  });
});

describe('content', () => {
  it('of a forwarded message is kept with its files', async () => {
    const file = {
      id: '42',
      filename: 'cat.png',
      content_type: 'image/png',
      size: 1,
      url: 'https://cdn.example/cat.png',
    };
    const event = await received({
      message_reference: { type: 1, channel_id: '1', message_id: '2' },
      message_snapshots: [{ message: { type: 0, content: 'Earlier', attachments: [file] } }],
    });
    const inside = [
      { type: 'Plain', text: 'Earlier' },
      { type: 'Image', image_id: '42' },
    ];
    expect(content(event)).toEqual([{ type: 'Forward', node_list: [{ message_chain: inside }] }]);
    expect(event?.media).toMatchObject([{ id: '42', value: { message_id: event?.platform_message_id } }]);
  });

  it('of other kinds is described', async () => {
    const event = await received({
      sticker_items: [{ id: '1', name: 'Wave', format_type: 1 }],
      poll: { question: { text: 'Tea?' }, answers: [{ poll_media: { text: 'Yes' } }, { poll_media: { text: 'No' } }] },
    });
    expect(content(event)).toEqual([
      { type: 'Unknown', text: '[Sticker] Wave' },
      { type: 'Unknown', text: '[Poll] Tea?\n- Yes\n- No' },
    ]);
  });

  it('of a voice message has its length, and of a quoted one its file', async () => {
    const voice = {
      id: '7',
      filename: 'voice.ogg',
      content_type: 'audio/ogg',
      size: 9,
      duration_secs: 2.5,
      url: 'https://x/7',
    };
    const original = messageObject({ attachments: [{ ...voice, id: '6' }] });
    const event = await received({
      type: 19,
      flags: 1 << 13,
      // The type may be missing.
      attachments: [{ ...voice, content_type: undefined }],
      message_reference: { message_id: original.id },
      referenced_message: original,
    });
    const { id } = original;
    expect(content(event)).toMatchObject([
      { type: 'Quote', id, sender_id: tests.fake.userId, origin: [{ type: 'Voice', voice_id: '6' }] },
      { type: 'Voice', voice_id: '7', length: 2.5 },
    ]);
    expect(event?.media?.map(({ id: file, value }) => [file, (value as { message_id: string }).message_id])).toEqual([
      ['6', id],
      ['7', event?.platform_message_id],
    ]);
  });
});

describe('messages that no user wrote', () => {
  it.each([
    ['a webhook', { webhook_id: '5', content: 'x' }],
    ['a notice of the system', { type: 7, content: 'x' }],
    ['the start of a thread', { type: 18, content: 'x' }],
    ['the system', { author: { id: '643945264868098049', username: 'Discord', system: true }, content: 'x' }],
    ['the bot, without the mark of one', { author: { id: '600000000000000001' }, content: 'x' }],
    ['no author', { author: null, content: 'x' }],
    ['an author without a valid id', { author: { id: 5 }, content: 'x' }],
  ])('from %s are ignored', async (_, object) => {
    expect(await received(object)).toBeUndefined();
  });
});

describe('what becomes of messages', () => {
  it('is noticed once they were edited, not when a preview is added', async () => {
    const { context } = await tests.start();
    const { id } = await tests.fake.deliver({ text: 'Helo' });
    const object = tests.fake.world.messageObject(tests.fake.world.messages.find((one) => one.id === id) as never);
    await dispatch('MESSAGE_UPDATE', { ...object, embeds: [{ url: 'https://a.example' }] });
    expect(context.notices).toEqual([]);
    await tests.fake.edit(id, 'Hello');
    expect(context.notices).toMatchObject([{ type: 'edited', platform_message_id: id }]);
  });

  it('is noticed when many were deleted', async () => {
    const { context } = await tests.start();
    await dispatch('MESSAGE_DELETE_BULK', { ids: ['1', null, '2'], channel_id: '3' });
    expect(context.notices).toEqual([
      { type: 'recalled', platform_message_id: '1' },
      { type: 'recalled', platform_message_id: '2' },
    ]);
  });

  it('is noticed for a new server, not for one that was unavailable', async () => {
    const { context } = await tests.start();
    await dispatch('GUILD_CREATE', { id: '77', joined_at: '2021-01-01T00:00:00+00:00', system_channel_id: '78' });
    await dispatch('GUILD_CREATE', {
      ...tests.fake.world.guild,
      joined_at: new Date().toISOString(),
      system_channel_id: '5',
    });
    expect(context.notices).toEqual([]);
    await tests.fake.addBot();
    expect(context.notices).toMatchObject([{ type: 'bot_added', session_type: 'group' }]);
  });

  it('is noticed for a server that the bot was removed from and added to again, not after an outage', async () => {
    const { context } = await tests.start();
    const { id } = tests.fake.world.guild;
    const added = { id, joined_at: new Date().toISOString(), system_channel_id: '5' };
    await dispatch('GUILD_DELETE', { id, unavailable: true });
    await dispatch('GUILD_CREATE', added);
    expect(context.notices).toEqual([]);
    await dispatch('GUILD_DELETE', { id });
    await dispatch('GUILD_CREATE', added);
    expect(context.notices).toMatchObject([{ type: 'bot_added', session_id: '5' }]);
  });
});

describe('a file', () => {
  const bytes = new TextEncoder().encode('The content');
  const media = [{ kind: 'file' as const, name: 'list.txt', content: bytes }];

  it('whose address has expired is fetched from the one that its message has now', async () => {
    const { adapter, context } = await tests.start();
    await tests.fake.deliver({ media });
    const [reference] = context.received[0]?.media ?? [];
    tests.fake.advance(25 * 60 * 60 * 1000);
    const chunks: Uint8Array[] = [];
    const stream = await adapter.fetchMedia?.(reference?.value, new AbortController().signal);
    for await (const chunk of stream ?? []) chunks.push(chunk);
    expect(Buffer.concat(chunks)).toEqual(Buffer.from(bytes));
    expect(tests.fake.calls('media')).toBe(2);
  });

  it('at a private address is refused', async () => {
    const { adapter, context } = await tests.start();
    await tests.fake.deliver({ media: media.map((one) => ({ ...one, fault: 'private_address' as const })) });
    const [reference] = context.received[0]?.media ?? [];
    const fetching = adapter.fetchMedia?.(reference?.value, new AbortController().signal);
    await expect(fetching).rejects.toMatchObject({ reason: 'address_not_allowed' });
  });
});

it('answers in the channel that a direct message came from, without opening one', async () => {
  const { adapter } = await tests.start();
  await tests.fake.deliver({ text: 'Hello' });
  await adapter.send(outgoing(tests.fake.person(), plain('Good day')));
  expect(tests.fake.rest.log.filter(({ path }) => path === '/users/@me/channels')).toEqual([]);
  expect(tests.fake.sent()).toMatchObject([{ chat: tests.fake.person(), text: 'Good day' }]);
});
