import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { KyselyModelRequestStore } from '../../src/storage/messages/kysely-model-request-store.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import { type FakeOpenAi, type FakeOpenAiBehaviour, startFakeOpenAi } from '../fakes/openai-server.ts';
import { type Chat, openChat } from './api-client.ts';

const key = 'sk-0123456789abcdefghij';
const patience = { timeout: 10_000 };

describe('the requests to models as they were sent', () => {
  let service: TestService;
  let model: FakeOpenAi;
  let pipeline: string;
  const chats: Chat[] = [];

  const call = (method: string, path: string, json?: unknown, bearer = service.account.token) =>
    service.request({ method, url: `/api/v1${path}`, bearer, ...(json === undefined ? {} : { json }) });
  const data = async (method: string, path: string, json?: unknown) => {
    const answer = await call(method, path, json);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body.data;
  };
  const count = async () => {
    const row = service.database.selectFrom('model_requests').select(({ fn }) => fn.countAll<string>().as('count'));
    return Number((await row.executeTakeFirstOrThrow()).count);
  };
  /** Asks in the console, and waits until the trace is complete. @returns the uuid of the question */
  const ask = async (question: string, query = '') => {
    const headers = { authorization: `Bearer ${service.account.token}` };
    const chat = await openChat(service.address, {
      pipeline,
      headers,
      trial: Object.fromEntries(new URLSearchParams(query)),
    });
    chats.push(chat);
    chat.say(question);
    await chat.answer();
    const { messages } = await data(
      'GET',
      `/messages?direction=inbound&text=${encodeURIComponent(question.slice(0, 100))}`,
    );
    const uuid = messages[0].uuid as string;
    const outcome = async () => (await data('GET', `/messages/${uuid}/explain`)).outcome;
    await expect.poll(outcome, patience).toMatch(/answered|failed/);
    return uuid;
  };
  const requestsOf = async (uuid: string) => (await data('GET', `/messages/${uuid}/model-requests`)).requests;
  const keep = async (settings: object) => {
    const { config } = (await data('GET', `/pipelines/${pipeline}`)).pipeline;
    Object.assign(config.output.misc, settings);
    await data('PUT', `/pipelines/${pipeline}`, { config });
  };

  beforeAll(async () => {
    model = await startFakeOpenAi();
    service = await startTestService({ listen: true });
    const { uuid } = await data('POST', '/provider/providers', {
      name: 'Fake',
      requester: 'openai-chat-completions',
      base_url: model.base_url,
      api_keys: [key],
    });
    const first = await data('POST', '/provider/models/llm', {
      name: 'large',
      provider_uuid: uuid,
      abilities: ['func_call'],
    });
    const second = await data('POST', '/provider/models/llm', { name: 'small', provider_uuid: uuid });
    pipeline = (await data('GET', '/pipelines')).pipelines[0].uuid;
    const { config } = (await data('GET', `/pipelines/${pipeline}`)).pipeline;
    Object.assign(config.ai['local-agent'], { model: { primary: first.uuid, fallbacks: [second.uuid] } });
    await data('PUT', `/pipelines/${pipeline}`, { config });
  });
  afterEach(() => {
    vi.useRealTimers();
    model.behave({ kind: 'answer' });
  });
  afterAll(async () => {
    for (const chat of chats) await chat.close();
    await service.stop();
    await model.close();
  });

  it('output.misc.keep-model-requests, output.misc.model-request-days: are not kept unless the pipeline says so', async () => {
    const uuid = await ask('Nothing of this is kept');
    expect(await requestsOf(uuid)).toEqual([]);
    expect(await count()).toBe(0);
  });

  it('are kept for draft chats', async () => {
    const uuid = await ask('Asked of a draft', '&version=draft');
    await expect.poll(() => requestsOf(uuid), patience).toHaveLength(1);
    expect((await requestsOf(uuid))[0].body).toContain('Asked of a draft');
  });

  it('are kept for each attempt, as the provider received them, without the key that it repeated', async () => {
    await keep({ 'keep-model-requests': true, 'model-request-days': 2 });
    const refusals: FakeOpenAiBehaviour[] = [{ kind: 'error', status: 400, message: `no model for ${key}` }];
    const before = model.requests.length;
    model.behave((index) => refusals[index - before] ?? { kind: 'answer', chunks: [`Your key is ${key}.`] });
    const uuid = await ask('Which key do I have?');
    await expect.poll(() => requestsOf(uuid), patience).toHaveLength(2);
    const kept = await requestsOf(uuid);
    const { model_calls } = await data('GET', `/messages/${uuid}/explain`);
    expect(kept.map(({ call_uuid }: { call_uuid: string }) => call_uuid)).toEqual(
      model_calls.map((one: { uuid: string }) => one.uuid),
    );
    const received = model.requests.slice(before);
    expect(kept.map(({ body }: { body: string }) => JSON.parse(body))).toEqual(received.map(({ body }) => body));
    expect(kept[0]).toMatchObject({
      method: 'POST',
      url: `${model.base_url}/chat/completions`,
      headers: { authorization: 'Bearer …', 'content-type': 'application/json' },
      truncated: false,
    });
    const days = (Date.parse(kept[0].expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(1.9);
    expect(days).toBeLessThan(2.1);

    // The answer with the key is in the history of the next request.
    const next = await ask('What did you say?');
    await expect.poll(() => requestsOf(next), patience).toHaveLength(1);
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain(key);
    expect((await requestsOf(next))[0].body).toContain('Your key is ….');
    const rows = await service.database.selectFrom('model_requests').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(key);
  });

  it('can be read of the answer, too, and of nothing that does not exist', async () => {
    const uuid = await ask('Also of the answer');
    await expect.poll(() => requestsOf(uuid), patience).toHaveLength(1);
    const { answer } = await data('GET', `/messages/${uuid}`);
    expect(await requestsOf(answer.message.uuid)).toEqual(await requestsOf(uuid));
    expect((await call('GET', '/messages/0198f6a0-0000-7000-8000-000000000000/model-requests')).status).toBe(404);
  });

  it('are cut when they are huge', async () => {
    const uuid = await ask('<script>"\\ 语 '.repeat(30_000));
    await expect.poll(() => requestsOf(uuid), patience).toHaveLength(1);
    const [request] = await requestsOf(uuid);
    expect(request.truncated).toBe(true);
    expect(Buffer.byteLength(request.body)).toBeLessThanOrEqual(256 * 1024);
    expect(request.body_size).toBeGreaterThan(256 * 1024);
  });

  it('are removed after their days', async () => {
    const uuid = await ask('To be forgotten');
    await expect.poll(() => requestsOf(uuid), patience).toHaveLength(1);
    const store = new KyselyModelRequestStore(service.database);
    expect(await store.prune(500)).toBe(0);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2.5 * 86_400_000 });
    expect(await store.ofMessage(uuid)).toEqual([]);
    expect(await store.prune(2)).toBe(2);
    while ((await store.prune(500)) > 0);
    vi.useRealTimers();
    // That of the draft chat is kept for a week.
    expect(await count()).toBe(1);
  });

  it('are removed with the message', async () => {
    const uuid = await ask('To be deleted');
    await expect.poll(() => requestsOf(uuid), patience).toHaveLength(1);
    await service.database.deleteFrom('messages').where('uuid', '=', uuid).execute();
    const rows = await service.database.selectFrom('model_requests').select('message_uuid').execute();
    expect(rows.map(({ message_uuid }) => message_uuid)).not.toContain(uuid);
  });
});
