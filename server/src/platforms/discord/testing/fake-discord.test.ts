import { REST } from '@discordjs/rest';
import { WebSocketManager, WebSocketShardEvents } from '@discordjs/ws';
import type { APIMessage, GatewayDispatchPayload } from 'discord-api-types/v10';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeDiscord, startFakeDiscord } from './fake-discord.ts';

let fake: FakeDiscord;
beforeEach(async () => {
  fake = await startFakeDiscord();
});
afterEach(() => fake.close());

/** Guilds, messages, direct messages, and their content. */
const intents = (1 << 0) | (1 << 9) | (1 << 12) | (1 << 15);

describe('a published client, that of discord.js', () => {
  it('exchanges messages with the fake, and resumes its session', async () => {
    const rest = new REST({ version: '10', api: fake.apiBaseUrl }).setToken(fake.bot.token);
    const manager = new WebSocketManager({ token: fake.bot.token, intents, rest });
    const events: GatewayDispatchPayload[] = [];
    let resumed = 0;
    manager.on(WebSocketShardEvents.Dispatch, (event) => void events.push(event));
    manager.on(WebSocketShardEvents.Resumed, () => {
      resumed += 1;
    });
    manager.on(WebSocketShardEvents.Error, () => undefined);
    const texts = () => events.flatMap(({ t, d }) => (t === 'MESSAGE_CREATE' && !d.author.bot ? [d.content] : []));
    try {
      await manager.connect();
      await fake.deliver({ chat: fake.group(), text: 'Hello' });
      await expect.poll(texts).toEqual(['Hello']);
      const path = `/channels/${fake.group().session_id}/messages` as const;
      const files = [{ name: 'list.txt', data: Buffer.from('The content'), contentType: 'text/plain' }];
      const sent = (await rest.post(path, { body: { content: 'Good day' }, files })) as APIMessage;
      await rest.patch(`${path}/${sent.id}`, { body: { content: 'Good evening' } });
      expect(fake.sent()).toMatchObject([
        { id: sent.id, history: [{ text: 'Good day' }, { text: 'Good evening' }], media: [{ name: 'list.txt' }] },
      ]);
      await expect(rest.post('/channels/5/messages', { body: { content: 'x' } })).rejects.toMatchObject({
        code: 10003,
      });
      fake.askToReconnect();
      await expect.poll(() => resumed, { timeout: 5000 }).toBe(1);
      await fake.deliver({ chat: fake.group(), text: 'Again' });
      await expect.poll(texts).toEqual(['Hello', 'Again']);
      expect(fake.gateway.begun).toEqual({ sessions: 1, resumes: 1 });
      expect(fake.violations()).toEqual([]);
    } finally {
      await manager.destroy();
    }
  });
});

describe('the fake', () => {
  const post = (body: object, headers: Record<string, string> = {}) =>
    fetch(`${fake.apiBaseUrl}/v10/channels/${fake.group().session_id}/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bot ${fake.bot.token}`,
        'user-agent': 'DiscordBot (https://a.example, 1)',
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    });

  it.each([
    ['2,001 characters', { content: '🦜'.repeat(2001) }, 50035],
    ['no content', { content: ' ' }, 50006],
    ['a long nonce', { content: 'x', nonce: 'n'.repeat(26) }, 50035],
    ['contradicting mentions', { content: 'x', allowed_mentions: { parse: ['users'], users: ['1'] } }, 50035],
    ['a reply to nothing', { content: 'x', message_reference: { message_id: '5' } }, 50035],
  ])('refuses %s', async (_, body, code) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code });
  });

  it('takes 2,000 characters, counted in code points', async () => {
    expect((await post({ content: '🦜'.repeat(2000) })).status).toBe(200);
  });

  it('lets every mention notify without allowed_mentions', async () => {
    await post({ content: `@everyone <@${fake.userId}>` });
    expect(fake.sent()[0]?.notifies).toEqual(['everyone', fake.userId]);
  });

  it('knows an enforced nonce for some minutes', async () => {
    const send = async () =>
      ((await (await post({ content: 'x', nonce: 'n', enforce_nonce: true })).json()) as APIMessage).id;
    const first = await send();
    fake.advance(150_000);
    expect(await send()).toBe(first);
    fake.advance(60_000);
    expect(await send()).not.toBe(first);
  });

  it('refuses a wrong token, unknown routes, and too many calls', async () => {
    expect((await post({ content: 'x' }, { authorization: 'Bot x' })).status).toBe(401);
    fake.rest.bucket = { most: 1, periodMs: 60_000 };
    await post({ content: 'x' });
    const limited = await post({ content: 'x' });
    expect(limited.status).toBe(429);
    expect(await limited.json()).toMatchObject({ retry_after: expect.any(Number), global: false });
    await fetch(`${fake.apiBaseUrl}/v10/nothing`, { headers: { authorization: `Bot ${fake.bot.token}` } });
    expect(fake.violations()).toEqual(['a call without a user agent', 'an unknown route GET /nothing']);
  });
});
