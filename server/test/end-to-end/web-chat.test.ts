import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../src/lib/uuid.ts';
import { type ServiceProcess, startServiceProcess } from '../factories/start-service-process.ts';
import {
  type ApiClient,
  apiClient,
  apiKey,
  type Chat,
  type ChatOptions,
  defaults,
  type Frame,
  openChat,
  signedIn,
} from './api-client.ts';

describe('a chat with the demo model over a real websocket', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-chat-'));
  const chats: Chat[] = [];
  let service: ServiceProcess;
  let api: ApiClient;
  let pipeline: string;
  let bot: string;

  beforeAll(async () => {
    service = await startServiceProcess({ dataDir });
    api = await signedIn(service.address);
    ({ pipeline, bot } = await defaults(api));
  });
  afterAll(async () => {
    for (const chat of chats) await chat.close();
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const open = async (options: Partial<ChatOptions> = {}) => {
    const chat = await openChat(service.address, {
      pipeline,
      headers: { authorization: `Bearer ${api.token}` },
      ...options,
    });
    chats.push(chat);
    return chat;
  };
  /** A user with an own conversation. */
  const newUser = async () => {
    const key = await apiKey(api);
    return { key, client: apiClient(service.address, key), headers: { authorization: `Bearer ${key}` } };
  };
  const messagesOf = async (client: ApiClient, sessionType = 'person'): Promise<Frame[]> =>
    (await client.data('GET', `/pipelines/${pipeline}/ws/messages/${sessionType}`)).messages;
  const refused = (options: Partial<ChatOptions>) => open(options).then(String, (error: Error) => error.message);

  it('connects, echoes, streams the answer under one number, and stores it', async () => {
    const chat = await open();
    chat.say('What is the answer?', { message_id: 'first' });
    const last = await chat.answer('What is the answer?');
    expect(chat.frames[0]).toEqual({
      type: 'connected',
      connection_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      pipeline_uuid: pipeline,
      session_type: 'person',
      person_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      timestamp: expect.stringMatching(/Z$/),
    });
    expect(chat.frames[1]).toEqual({
      type: 'user_message',
      session_type: 'person',
      data: {
        id: 1,
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        role: 'user',
        content: 'What is the answer?',
        message_chain: [{ type: 'Plain', text: 'What is the answer?' }],
        timestamp: expect.stringMatching(/Z$/),
        is_final: true,
        connection_id: chat.frames[0]?.connection_id,
        message_id: 'first',
      },
    });
    const responses = chat.frames.slice(2);
    expect(responses.length).toBeGreaterThan(3);
    expect(new Set(responses.map(({ type, data }) => `${type} ${data.id}`))).toEqual(new Set(['response 2']));
    for (const [index, { data }] of responses.entries()) {
      const before = responses[index - 1]?.data.content ?? '';
      expect(data.content.startsWith(before)).toBe(true);
      expect(data.message_chain).toEqual([{ type: 'Plain', text: data.content }]);
      expect(data.is_final).toBe(index === responses.length - 1);
    }
    const { message_id: _, ...echo } = chat.frames[1]?.data ?? {};
    // The question is pending until its answer is known to be delivered.
    await expect.poll(() => messagesOf(api)).toEqual([{ ...echo, connection_id: '' }, last.data]);
  });

  it('sends only the finished answer to a client without streaming', async () => {
    const { headers } = await newUser();
    const chat = await open({ headers });
    chat.say('Briefly, please.', { stream: false });
    await chat.answer();
    expect(chat.frames.filter(({ type }) => type === 'response')).toHaveLength(1);
  });

  it.each(['token', 'API key'])('takes a %s as a subprotocol, and answers with the protocol only', async (kind) => {
    const token = kind === 'token' ? api.token : await apiKey(api);
    const chat = await open({ headers: {}, protocols: ['parley.token', token] });
    expect(chat.protocol).toBe('parley.token');
    await chat.frame(({ type }) => type === 'connected');
  });

  it('takes the sign-in cookie from its own pages only', async () => {
    const response = await fetch(`${service.address}/api/v1/user/auth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user: 'admin@example.com', password: 'correct horse battery staple' }),
    });
    const cookie = response.headers.get('set-cookie')?.split(';')[0] as string;
    const chat = await open({ headers: { cookie, origin: service.address } });
    await chat.frame(({ type }) => type === 'connected');
    for (const origin of ['http://evil.example', 'null', service.address.replace('http', 'https').replace(/\d$/, '')]) {
      expect(await refused({ headers: { cookie, origin } })).toBe('refused with 401');
    }
    expect(await refused({ headers: { cookie } })).toBe('refused with 401');
  });

  it.each<[string, Partial<ChatOptions>]>([
    ['no credential', { headers: {} }],
    ['an unknown key', { headers: { authorization: 'Bearer lbk_unknown' } }],
    ['an unknown token', { headers: {}, protocols: ['parley.token', 'unknown'] }],
  ])('refuses %s', async (_, options) => {
    expect(await refused(options)).toBe('refused with 401');
  });

  it('refuses a key that may not send', async () => {
    const key = await apiKey(api, ['read']);
    expect(await refused({ headers: { authorization: `Bearer ${key}` } })).toBe('refused with 403');
  });

  it.each<[string, Partial<ChatOptions>, Frame]>([
    ['an unknown pipeline', { pipeline: newUuid() }, { reason: 'not_found', message: 'pipeline not found' }],
    [
      'an unknown kind of session',
      { sessionType: 'crowd' },
      { reason: 'invalid_request', message: 'session_type must be person or group' },
    ],
  ])('tells %s and closes', async (_, options, fault) => {
    const chat = await open(options);
    expect(await chat.closed).toBe(1008);
    expect(chat.frames).toEqual([{ type: 'error', ...fault }]);
  });

  it('tells what is wrong with a frame and goes on', async () => {
    const { headers } = await newUser();
    const chat = await open({ headers });
    for (const frame of ['{', '[]', { message: [] }, { message: [{ type: 'Nothing' }] }, { message_id: 1 }]) {
      chat.send(frame);
    }
    chat.send({ type: 'something new' });
    chat.send({ type: 'ping' });
    await chat.frame(({ type }) => type === 'pong');
    expect(chat.frames.slice(1).map(({ type, message }) => message ?? type)).toEqual([
      'Invalid JSON format',
      'A frame must be a JSON object',
      'message: must hold at least one element',
      expect.stringContaining('message[0].type: must be one of'),
      expect.stringContaining('message_id: must be a text'),
      'pong',
    ]);
    chat.send({ type: 'disconnect' });
    expect(await chat.closed).toBe(1000);
  });

  it('answers a message that is sent again after a reconnect once', async () => {
    const { headers, client } = await newUser();
    const first = await open({ headers });
    first.say('Am I sure?', { message_id: 'unsure' });
    await first.frame(({ type }) => type === 'user_message');
    await first.close();
    const second = await open({ headers });
    second.say('Am I sure?', { message_id: 'unsure' });
    const echo = await second.frame(({ type }) => type === 'user_message');
    expect(echo.data).toMatchObject({ id: 1, message_id: 'unsure' });
    second.say('And now?', { message_id: 'sure' });
    await second.answer('And now?');
    expect((await messagesOf(client)).map(({ id, role }) => `${id} ${role}`)).toHaveLength(4);
  });

  it('answers in the order in which messages were written', async () => {
    const { headers, client } = await newUser();
    const chat = await open({ headers });
    for (const text of ['one', 'two', 'three']) chat.say(text);
    await chat.answer('> three');
    const finals = chat.frames.filter(({ type, data }) => type === 'response' && data.is_final);
    expect(finals.map(({ data }) => /> (\w+)$/.exec(data.content)?.[1])).toEqual(['one', 'two', 'three']);
    expect((await messagesOf(client)).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('forgets the conversation after a reset', async () => {
    const { headers, client } = await newUser();
    const chat = await open({ headers });
    chat.say('before');
    await chat.answer('before');
    const reset = await client.data('POST', `/pipelines/${pipeline}/ws/reset/person`);
    expect(reset).toEqual({ message: 'Session reset successfully' });
    expect(await messagesOf(client)).toEqual([]);
    chat.say('after');
    await chat.answer('after');
    expect((await messagesOf(client)).map(({ id }) => id)).toEqual([1, 2]);
  });

  it('lets a group share one conversation', async () => {
    const [ada, bob] = [await newUser(), await newUser()];
    const [left, right] = [
      await open({ sessionType: 'group', headers: ada.headers }),
      await open({ sessionType: 'group', headers: bob.headers }),
    ];
    const alone = await open({ headers: bob.headers });
    left.say('ai Hello, all');
    await Promise.all([left.answer('Hello, all'), right.answer('Hello, all')]);
    expect(right.frames.find(({ type }) => type === 'user_message')).toMatchObject({
      session_type: 'group',
      data: { content: 'ai Hello, all' },
    });
    // The answer is shown before the question has ended.
    await expect.poll(async () => (await messagesOf(bob.client, 'group'))[0]).not.toHaveProperty('is_pending');
    expect(await messagesOf(bob.client, 'group')).toEqual(await messagesOf(ada.client, 'group'));
    expect(await messagesOf(bob.client)).toEqual([]);
    expect(alone.frames).toHaveLength(1);
  });

  it('shows no user the conversation of another', async () => {
    const [ada, bob] = [await newUser(), await newUser()];
    const [hers, also, his] = [
      await open({ headers: ada.headers }),
      await open({ headers: ada.headers }),
      await open({ headers: bob.headers }),
    ];
    const { uuid: other } = await api.data('POST', '/pipelines', { name: 'Another' });
    const elsewhere = await open({ headers: ada.headers, pipeline: other });
    hers.say('a secret of mine');
    await Promise.all([hers.answer('a secret of mine'), also.answer('a secret of mine')]);
    for (const chat of [his, elsewhere]) {
      chat.send({ type: 'ping' });
      await chat.frame(({ type }) => type === 'pong');
      expect(chat.frames.map(({ type }) => type)).toEqual(['connected', 'pong']);
    }
    expect(await messagesOf(bob.client)).toEqual([]);
  });

  it('shows what a program sends, at once or on the next connect', async () => {
    const { headers, client } = await newUser();
    const chat = await open({ headers });
    const { person_id } = await chat.frame(({ type }) => type === 'connected');
    const send = (text: string) =>
      client.call('POST', `/platform/bots/${bot}/send_message`, {
        target_type: 'person',
        target_id: person_id,
        message_chain: [{ type: 'Plain', text }],
      });
    expect(await send('while connected')).toMatchObject({ status: 200, body: { code: 0, data: { sent: true } } });
    expect((await chat.answer('while connected')).data).toMatchObject({ id: 1, role: 'assistant', is_final: true });
    await chat.close();
    expect(await send('while away\0')).toMatchObject({ status: 200, body: { data: { sent: true } } });
    expect((await messagesOf(client)).map(({ content }) => content)).toEqual(['while connected', 'while away\ufffd']);
  });
});
