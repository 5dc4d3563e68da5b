import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeTelegram, startFakeTelegram } from '../../src/platforms/telegram/testing/fake-telegram.ts';
import { incoming } from '../../src/platforms/telegram/testing/fixtures.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import { type Chat, openChat } from './api-client.ts';

describe('a draft of a pipeline that a bot uses', () => {
  let service: TestService;
  let model: FakeOpenAi;
  let telegram: FakeTelegram;
  let pipeline: string;
  const chats: Chat[] = [];

  const data = async (method: string, path: string, json?: unknown) => {
    const url = `/api/v1${path}`;
    const credentials = { bearer: service.account.token };
    const answer = await service.request({ method, url, ...credentials, ...(json === undefined ? {} : { json }) });
    if (answer.status !== 200) throw new Error(`${method} ${url}: ${answer.text}`);
    return answer.body.data;
  };
  const prompted = (text: string) => ({
    config: { ai: { 'local-agent': { prompt: [{ role: 'system', content: text }] } } },
  });
  /** The system prompt and the model of the request for a question. */
  const askedWith = (question: string) => {
    const request = model.requests.find(({ body }) => JSON.stringify(body).includes(question));
    const [first] = (request?.body?.messages ?? []) as { content: unknown }[];
    return { prompt: JSON.stringify(first?.content), model: request?.body?.model };
  };
  const askBot = async (question: string) => {
    telegram.deliver(incoming({ text: question }));
    await expect.poll(() => askedWith(question).model, { timeout: 10_000 }).toBeDefined();
    return askedWith(question);
  };
  const chatWith = async (query: string) => {
    const headers = { authorization: `Bearer ${service.account.token}` };
    const chat = await openChat(service.address, {
      pipeline,
      headers,
      trial: Object.fromEntries(new URLSearchParams(query)),
    });
    chats.push(chat);
    return chat;
  };
  const ask = async (query: string, question: string) => {
    const chat = await chatWith(query);
    chat.say(question);
    await chat.answer();
    return askedWith(question);
  };
  const traceOf = async (question: string) => {
    const { messages } = await data('GET', `/messages?direction=inbound&text=${encodeURIComponent(question)}`);
    await expect
      .poll(async () => (await data('GET', `/messages/${messages[0].uuid}/explain`)).outcome, { timeout: 10_000 })
      .toBe('answered');
    return (await data('GET', `/messages/${messages[0].uuid}/explain`)).pipeline;
  };

  beforeAll(async () => {
    model = await startFakeOpenAi();
    telegram = await startFakeTelegram();
    service = await startTestService({ listen: true });
    const { uuid } = await data('POST', '/provider/providers', {
      name: 'Fake',
      requester: 'openai-chat-completions',
      base_url: model.base_url,
      api_keys: ['sk-0123456789abcdefghij'],
    });
    await data('POST', '/provider/models/llm', { name: 'large', provider_uuid: uuid });
    pipeline = (await data('GET', '/pipelines')).pipelines[0].uuid;
    const { config } = (await data('GET', `/pipelines/${pipeline}`)).pipeline;
    Object.assign(config.ai['local-agent'], { prompt: [{ role: 'system', content: 'Published prompt.' }] });
    await data('PUT', `/pipelines/${pipeline}`, { config });
    await data('POST', '/platform/bots', {
      name: 'Parrot',
      adapter: 'telegram',
      adapter_config: { token: telegram.token, api_base_url: telegram.apiBaseUrl },
      enable: true,
      use_pipeline_uuid: pipeline,
    });
  });
  afterAll(async () => {
    for (const chat of chats) await chat.close();
    await service.stop();
    await telegram.close();
    await model.close();
  });

  const draft = async (text: string) => {
    const { config } = (await data('GET', `/pipelines/${pipeline}/draft`)).pipeline;
    Object.assign(config.ai['local-agent'], prompted(text).config.ai['local-agent']);
    await data('PUT', `/pipelines/${pipeline}/draft`, { config });
  };

  it('answers only in its own chat until it is published; the traces tell both apart', async () => {
    const { version } = (await data('GET', `/pipelines/${pipeline}`)).pipeline;
    await draft('Drafted prompt.');
    const [byDraft, byBot, byChat] = [
      await ask('&version=draft', 'Asked of the draft'),
      await askBot('Asked of the bot'),
      await ask('', 'Asked of the chat'),
    ];
    expect([byDraft, byBot, byChat].map(({ prompt }) => prompt)).toEqual([
      expect.stringContaining('Drafted prompt.'),
      expect.stringContaining('Published prompt.'),
      expect.stringContaining('Published prompt.'),
    ]);
    expect(await traceOf('Asked of the draft')).toEqual({ version, draft: { updated_at: expect.any(String) } });
    expect(await traceOf('Asked of the bot')).toEqual({ version, draft: null });
    // Neither does one side of a comparison.
    const compared = await ask('&version=draft&conversation=compared', 'Asked of one side');
    expect(compared.prompt).toContain('Drafted prompt.');
    const sides = model.requests.find(({ body }) => JSON.stringify(body).includes('Asked of one side'));
    expect(JSON.stringify(sides?.body)).not.toContain('Asked of the draft');
    // The conversations do not mix.
    const texts = async (query: string) =>
      (await data('GET', `/pipelines/${pipeline}/ws/messages/person${query}`)).messages
        .filter(({ role }: { role: string }) => role === 'user')
        .map(({ content }: { content: string }) => content);
    expect(await texts('?version=draft')).toEqual(['Asked of the draft']);
    expect(await texts('')).toEqual(['Asked of the chat']);

    await data('POST', `/pipelines/${pipeline}/draft/publish`, {});
    expect((await askBot('Asked once it was published')).prompt).toContain('Drafted prompt.');
    expect(await traceOf('Asked once it was published')).toEqual({ version: version + 1, draft: null });
    expect((await ask(`&version=${version}`, 'Asked of the earlier version')).prompt).toContain('Published prompt.');
    expect(await traceOf('Asked of the earlier version')).toEqual({ version, draft: null });
    await data('POST', `/pipelines/${pipeline}/versions/${version}/restore`);
    expect((await askBot('Asked once it was restored')).prompt).toContain('Published prompt.');
  });

  it('is passed over by a PUT of a program, which takes effect at once', async () => {
    await draft('Another draft.');
    const { config } = (await data('GET', `/pipelines/${pipeline}`)).pipeline;
    Object.assign(config.ai['local-agent'], prompted('Of a program.').config.ai['local-agent']);
    await data('PUT', `/pipelines/${pipeline}`, { config });
    expect((await askBot('Asked after the program')).prompt).toContain('Of a program.');
    expect((await ask('&version=draft', 'Asked of the other draft')).prompt).toContain('Another draft.');
    await data('DELETE', `/pipelines/${pipeline}/draft`);
    expect((await ask('&version=draft', 'Asked without a draft')).prompt).toContain('Of a program.');
  });

  it('answers with another model where one is named', async () => {
    const { providers } = await data('GET', '/provider/providers');
    const { uuid } = providers.find(({ name }: { name: string }) => name === 'Fake');
    const small = await data('POST', '/provider/models/llm', { name: 'small', provider_uuid: uuid });
    expect((await ask(`&model=${small.uuid}`, 'Asked of the small model')).model).toBe('small');
    expect((await ask('', 'Asked of the usual model')).model).toBe('large');
  });

  it('ends a message for a version that does not exist', async () => {
    const chat = await chatWith('&version=999');
    chat.say('Asked of nothing');
    await expect
      .poll(async () => {
        const { messages } = await data('GET', '/messages?direction=inbound&text=Asked%20of%20nothing');
        return messages[0]?.reason;
      })
      .toBe('no_pipeline');
  });

  it('is for admins', async () => {
    const { key } = await service.createApiKey(['read', 'send']);
    const url = `/api/v1/pipelines/${pipeline}/ws/messages/person`;
    for (const query of ['?version=draft', '?version=1', '?model=00000000-0000-4000-8000-000000000000']) {
      expect(await service.request({ url: url + query, apiKey: key })).toMatchObject({
        status: 403,
        body: { reason: 'scope_required' },
      });
    }
    expect((await service.request({ url, apiKey: key })).status).toBe(200);
    const invalid = await service.request({ url: `${url}?version=drafts`, bearer: service.account.token });
    expect(invalid.status).toBe(400);
    const headers = { authorization: `Bearer ${key}` };
    const chat = await openChat(service.address, { pipeline, headers, trial: { version: 'draft' } });
    chats.push(chat);
    expect(await chat.frame(({ type }) => type === 'error')).toMatchObject({ reason: 'scope_required' });
    expect(await chat.closed).toBe(1008);
  });
});
