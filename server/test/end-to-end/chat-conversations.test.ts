import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../src/lib/uuid.ts';
import { linesAt, makePdf } from '../../src/parsers/pdf/testing/make-pdf.ts';
import { type ServiceProcess, startServiceProcess } from '../factories/start-service-process.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import {
  type ApiClient,
  apiClient,
  apiKey,
  type Chat,
  defaults,
  type Frame,
  openChat,
  signedIn,
} from './api-client.ts';

describe('conversations of the chat', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-conversations-'));
  const chats: Chat[] = [];
  let service: ServiceProcess;
  let model: FakeOpenAi;
  let api: ApiClient;
  let pipeline: string;

  beforeAll(async () => {
    model = await startFakeOpenAi();
    service = await startServiceProcess({ dataDir });
    api = await signedIn(service.address);
    ({ pipeline } = await defaults(api));
    const { uuid } = await api.data('POST', '/provider/providers', {
      name: 'Fake',
      requester: 'openai-chat-completions',
      base_url: model.base_url,
      api_keys: ['sk-0123456789abcdefghij'],
    });
    await api.data('POST', '/provider/models/llm', { name: 'large', provider_uuid: uuid, abilities: ['vision'] });
  });
  afterAll(async () => {
    for (const chat of chats) await chat.close();
    await service.stop();
    await model.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const newUser = async () => {
    const key = await apiKey(api);
    const open = async (conversation?: string) => {
      const headers = { authorization: `Bearer ${key}` };
      const chat = await openChat(service.address, { pipeline, headers, ...(conversation && { conversation }) });
      chats.push(chat);
      return chat;
    };
    const client = apiClient(service.address, key);
    const messages = async (conversation?: string): Promise<Frame[]> =>
      (
        await client.data(
          'GET',
          `/pipelines/${pipeline}/ws/messages/person${conversation ? `?conversation=${conversation}` : ''}`,
        )
      ).messages;
    const list = async (query = ''): Promise<{ conversations: Frame[]; next_cursor: string | null }> =>
      client.data('GET', `/chat/conversations${query}`);
    return { open, client, messages, list };
  };
  const asked = (chat: Chat, text: string) =>
    chat.frame(({ type, data }) => type === 'user_message' && data.content === text);
  const texts = () => ((model.requests.at(-1)?.body?.messages ?? []) as Frame[]).slice(1).map(({ content }) => content);
  const lastAsked = () => texts().at(-1) as Frame[];
  const say = async (chat: Chat, text: string) => {
    chat.say(text);
    const { data } = await asked(chat, text);
    return chat.frame((frame) => frame.type === 'response' && frame.data.is_final && frame.data.id > data.id);
  };

  it('stops an answer that is written: the model is left, the start stays, the next message goes through', async () => {
    const user = await newUser();
    const chat = await user.open();
    model.behave({ kind: 'stall', chunks: ['Once upon ', 'a time'] });
    chat.say('Tell me a story');
    await chat.frame(({ type, data }) => type === 'response' && data.content.startsWith('Once upon'));
    chat.send({ type: 'stop' });
    expect(await chat.frame(({ type }) => type === 'stopped')).toMatchObject({ session_type: 'person', last_id: 1 });
    await model.requests.at(-1)?.closed;
    const end = await chat.frame(({ type, data }) => type === 'response' && data.is_final);
    expect(end.data).toMatchObject({ content: 'Once upon a time', is_stopped: true });
    chat.send({ type: 'stop' });
    model.behave({ kind: 'answer', chunks: ['Here.'] });
    chat.say('Are you there?');
    await chat.answer('Here.');
    expect(texts()).toEqual(['Tell me a story', 'Once upon a time', 'Are you there?']);
    chat.send({ type: 'stop' });
    const [question, start, second, answer] = await user.messages();
    expect(question).toMatchObject({ role: 'user', is_stopped: true });
    expect(start).toMatchObject({ content: 'Once upon a time', is_stopped: true });
    expect(start).not.toHaveProperty('is_failed');
    expect(second).not.toHaveProperty('is_stopped');
    expect(answer).toMatchObject({ content: 'Here.', is_final: true });
    expect(answer).not.toHaveProperty('is_stopped');
    const { message } = await api.data('GET', `/messages/${question?.uuid}/explain`);
    expect(message).toMatchObject({ state: 'stopped', reason: 'answer_stopped' });
  });

  it.each([
    ['regenerates', {}, 'Tell me a story'],
    ['edits the question of', { message: [{ type: 'Plain', text: 'A poem, then' }] }, 'A poem, then'],
  ])('%s a stopped answer, of which nothing is left to the model', async (_, content, question) => {
    const user = await newUser();
    const chat = await user.open();
    model.behave({ kind: 'stall', chunks: ['Once upon'] });
    chat.say('Tell me a story');
    await chat.frame(({ type, data }) => type === 'response' && data.content.startsWith('Once upon'));
    chat.send({ type: 'stop' });
    await chat.answer('Once upon');
    const { data } = await asked(chat, 'Tell me a story');
    model.behave({ kind: 'answer', chunks: ['Whole.'] });
    chat.send({ type: 'message', ...content, replaces: data.uuid, message_id: 'again' });
    await chat.answer('Whole.');
    expect(texts()).toEqual([question]);
    await say(chat, 'Next');
    expect(texts()).toEqual([question, 'Whole.', 'Next']);
  });

  it('stops what waits, also over a lost connection, and nothing behind it', async () => {
    const user = await newUser();
    const first = await user.open();
    model.behave({ kind: 'stall' });
    first.say('one');
    first.say('two');
    const two = await asked(first, 'two');
    const before = await user.messages();
    expect(before).toMatchObject([{ is_pending: true }, { is_pending: true }]);
    await first.close();
    const second = await user.open();
    second.say('three');
    await asked(second, 'three');
    model.behave({ kind: 'answer', chunks: ['Three it is.'] });
    second.send({ type: 'stop', uuid: two.data.uuid });
    await second.answer('Three it is.');
    expect(texts()).toEqual(['three']);
    expect((await user.messages()).map(({ is_stopped = false }) => is_stopped)).toEqual([true, true, false, false]);
  });

  it('does not stop, or replace, messages of another user', async () => {
    const [ada, bob] = [await newUser(), await newUser()];
    const name = newUuid();
    const [hers, his] = [await ada.open(name), await bob.open(name)];
    model.behave({ kind: 'stall', chunks: ['Well'] });
    hers.say('mine');
    const { data } = await asked(hers, 'mine');
    his.send({ type: 'stop', uuid: data.uuid });
    his.send({ ...message('taken'), replaces: data.uuid, message_id: 'taken' });
    expect(await his.frame(({ type }) => type === 'error')).toMatchObject({ reason: 'not_found', message_id: 'taken' });
    expect(await ada.messages(name)).toMatchObject([{ content: 'mine', is_pending: true }]);
    expect(await bob.messages(name)).toEqual([]);
    hers.send({ type: 'stop' });
    await hers.frame(({ type }) => type === 'stopped');
    const uuid = (await ada.list()).conversations[0]?.uuid;
    expect((await bob.list()).conversations).toEqual([]);
    expect(await bob.client.call('PUT', `/chat/conversations/${uuid}`, { title: 'x' })).toMatchObject({ status: 404 });
    expect(await bob.client.call('DELETE', `/chat/conversations/${uuid}`)).toMatchObject({ status: 404 });
    expect((await ada.list()).conversations).toMatchObject([{ title: 'mine' }]);
  });

  it('replaces a question: the model gets what was before it, and nothing of the former branch', async () => {
    model.behave((index) => ({ kind: 'answer', chunks: [`answer ${index}`] }));
    const user = await newUser();
    const chat = await user.open();
    const first = (await say(chat, 'first')).data.content;
    await say(chat, 'second');
    await say(chat, 'third');
    const stored = await user.messages();
    chat.send({ ...message('second, better'), replaces: stored[2]?.uuid, message_id: 'edit' });
    await chat.frame(({ type, data }) => type === 'response' && data.is_final && data.id === 8);
    expect(texts()).toEqual(['first', first, 'second, better']);
    // The same frame again, as after a lost connection, changes nothing.
    chat.send({ ...message('second, better'), replaces: stored[2]?.uuid, message_id: 'edit' });
    chat.send({ ...message('too late'), replaces: stored[2]?.uuid, message_id: 'other' });
    expect(await chat.frame(({ type }) => type === 'error')).toMatchObject({ reason: 'conflict', message_id: 'other' });
    // Without content, the same question is sent.
    const edited = (await user.messages()).at(-2);
    chat.send({ type: 'message', replaces: edited?.uuid, message_id: 'again' });
    await chat.frame(({ type, data }) => type === 'response' && data.is_final && data.id === 10);
    expect(texts()).toEqual(['first', first, 'second, better']);
    const all = await user.messages();
    expect(all.map(({ is_replaced = false }) => is_replaced)).toEqual([
      ...[false, false],
      ...[true, true, true, true],
      ...[true, true],
      ...[false, false],
    ]);
    expect(all[8]).toMatchObject({ content: 'second, better', replaces: edited?.uuid });
    const explained = await api.data('GET', `/messages/${all[8]?.uuid}/explain`);
    expect(explained.message.facts).toEqual({ replaces: edited?.uuid });
    await say(chat, 'next');
    expect(texts()).toEqual(['first', first, 'second, better', expect.any(String), 'next']);
  });

  it('replaces a question that is being answered', async () => {
    const user = await newUser();
    const chat = await user.open();
    model.behave({ kind: 'stall', chunks: ['I think'] });
    chat.say('wrong');
    await chat.frame(({ type, data }) => type === 'response' && data.content === 'I think');
    const left = model.requests.at(-1)?.closed;
    const { data } = await asked(chat, 'wrong');
    model.behave({ kind: 'answer', chunks: ['Right.'] });
    chat.send({ ...message('right'), replaces: data.uuid, message_id: 'edit' });
    await chat.answer('Right.');
    await left;
    expect(texts()).toEqual(['right']);
  });

  it('lists, searches, renames and deletes conversations', async () => {
    model.behave({ kind: 'answer', chunks: ['Übermut is a **word**.'] });
    const user = await newUser();
    const names = [newUuid(), newUuid(), newUuid()];
    const questions = ['Plan a trip to <script>alert(1)</script>', 'Explain 100% of it', 'x'.repeat(5000)];
    for (const [index, name] of names.entries()) await say(await user.open(name), questions[index] as string);
    await say(await user.open(), 'the first one');
    await say(await user.open('guide'), 'an aside');
    const { conversations, next_cursor } = await user.list();
    expect(next_cursor).toBeNull();
    expect(conversations.map(({ conversation }) => conversation)).toEqual(['default', ...names.toReversed()]);
    expect(conversations.map(({ title }) => title)).toEqual([
      'the first one',
      `${'x'.repeat(80)}…`,
      'Explain 100% of it',
      'Plan a trip to <script>alert(1)</script>',
    ]);
    expect(await user.messages('guide')).toMatchObject([{ content: 'an aside' }, { role: 'assistant' }]);

    const page = await user.list('?limit=3');
    expect(page.conversations).toHaveLength(3);
    const rest = await user.list(`?limit=3&cursor=${page.next_cursor}`);
    expect(rest).toMatchObject({ conversations: [{ conversation: names[0] }], next_cursor: null });
    expect((await user.client.call('GET', '/chat/conversations?cursor=nonsense')).status).toBe(400);

    const found = async (search: string) =>
      (await user.list(`?search=${encodeURIComponent(search)}`)).conversations.map(({ title }) => title.slice(0, 7));
    expect(await found('TRIP')).toEqual(['Plan a ']);
    expect(await found('übermut')).toHaveLength(4);
    expect(await found('100% of')).toEqual(['Explain']);
    expect(await found('1__%')).toEqual([]);
    const uuid = conversations.at(-1)?.uuid;
    const renamed = await user.client.data('PUT', `/chat/conversations/${uuid}`, { title: ' Holidays ' });
    expect(renamed.conversation).toMatchObject({ uuid, title: 'Holidays' });
    expect(await found('holi')).toEqual(['Holiday']);
    expect(await found('trip')).toEqual(['Holiday']);
    expect((await user.client.call('PUT', `/chat/conversations/${uuid}`, { title: 'x'.repeat(201) })).status).toBe(400);

    await user.client.data('DELETE', `/chat/conversations/${uuid}`);
    expect((await user.client.call('DELETE', `/chat/conversations/${uuid}`)).status).toBe(404);
    expect((await user.list()).conversations).toHaveLength(3);
    expect(await user.messages(names[0])).toEqual([]);
  });

  it('takes files for a message: pictures for the model to see, documents as their text', async () => {
    const user = await newUser();
    const attach = async (name: string, content: string | Uint8Array<ArrayBuffer>) => {
      const form = new FormData();
      form.append('file', new Blob([content]), name);
      const headers = { authorization: `Bearer ${user.client.token}` };
      const response = await fetch(`${service.address}/api/v1/files/attachments`, {
        method: 'POST',
        headers,
        body: form,
      });
      return { status: response.status, body: (await response.json()) as Frame };
    };
    const [picture, text, pdf] = await Promise.all([
      attach('../../etc/<script>.png', onePixel),
      attach('plan.txt', `The plan: ${'x'.repeat(100_000)}`),
      attach('hello.pdf', new Uint8Array(makePdf([linesAt(60, 90, ['The secret word is heron.'], 13)]))),
    ]);
    expect(picture).toMatchObject({
      status: 200,
      body: { data: { attachment: { name: '<script>.png', media_type: 'image/png', is_image: true } } },
    });
    expect(pdf.body.data.attachment).toMatchObject({ media_type: 'application/pdf', is_image: false });
    expect(await attach('tool.exe', new Uint8Array([0x4d, 0x5a, 0, 1, 2, 3, 0, 0]))).toMatchObject({
      status: 415,
      body: { reason: 'unsupported_media_type' },
    });
    expect(await attach('empty.txt', '')).toMatchObject({ status: 400, body: { reason: 'empty_file' } });
    expect((await attach('large.txt', 'x'.repeat(10_485_761))).status).toBe(413);

    model.behave({ kind: 'answer', chunks: ['I see.'] });
    const chat = await user.open();
    const files = [picture, pdf, text].map(({ body }) => body.data.attachment);
    const chain = files.map(({ is_image, file_key: path, name, size }) =>
      is_image ? { type: 'Image', path } : { type: 'File', path, name, size },
    );
    chat.send({ type: 'message', message: [{ type: 'Plain', text: 'Look' }, ...chain], message_id: 'files' });
    await chat.answer('I see.');
    const asked = lastAsked();
    const written = asked.filter(({ type }) => type === 'text').map((part) => part.text as string);
    expect(asked.some(({ type }) => type === 'image_url')).toBe(true);
    expect(written.find((part) => part.startsWith('The file "plan.txt"'))).toMatch(
      /x{50000}\n\[Cut here: the whole has 100010 characters/,
    );
    expect(written.find((part) => part.startsWith('The file "hello.pdf"'))).toContain('The secret word is heron.');
    const [question] = await user.messages();
    expect(question?.message_chain.map(({ type, name }: Frame) => [type, name])).toEqual([
      ['Plain', undefined],
      ['Image', undefined],
      ['File', 'hello.pdf'],
      ['File', 'plan.txt'],
    ]);
    // The same question includes its files.
    chat.send({ type: 'message', replaces: question?.uuid, message_id: 'again' });
    await chat.frame(({ type, data }) => type === 'response' && data.is_final && data.id === 4);
    expect(lastAsked()).toEqual(asked);
  });

  it('refuses names that are none', async () => {
    const user = await newUser();
    for (const name of ['draft/../x', 'a'.repeat(65), '%27']) {
      await expect(user.open(name)).rejects.toThrow('400');
    }
    await expect(user.open('draft')).resolves.toBeDefined();
  });
});

/** A PNG of one pixel. */
const onePixel = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (letter) => letter.charCodeAt(0),
);

function message(text: string): Frame {
  return { type: 'message', message: [{ type: 'Plain', text }] };
}
