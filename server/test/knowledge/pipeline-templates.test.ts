import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { configOf, type Template, templates } from '../../../web/src/pages/pipelines/templates.ts';
import { type ApiClient, apiClient, type Chat, openChat } from '../end-to-end/api-client.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';

const patience = { timeout: 30_000 };

/** The templates of the console, as pipelines of a service with a fake model. */
describe('a pipeline from a template', () => {
  let service: TestService;
  let model: FakeOpenAi;
  let api: ApiClient;
  let modelUuid: string;
  const chats: Chat[] = [];

  beforeAll(async () => {
    model = await startFakeOpenAi();
    service = await startTestService({ config: { shutdownTimeoutSeconds: 1 } });
    api = apiClient(service.address, service.account.token);
    const provider = {
      requester: 'openai-chat-completions',
      base_url: model.base_url,
      api_keys: ['sk-0123456789abcdefghij'],
    };
    modelUuid = (await api.data('POST', '/provider/models/llm', { name: 'Large', provider })).uuid;
  });
  afterAll(async () => {
    for (const chat of chats) await chat.close();
    await service.stop();
    await model.close();
  });

  const create = async (template: Template, knowledgeBases: string[] = []): Promise<string> => {
    const { name, prompt } = english.pipelines.templates[template];
    const { uuid } = await api.data('POST', '/pipelines', {
      name,
      config: configOf(template, { prompt, knowledgeBases }),
    });
    const { config } = (await api.data('GET', `/pipelines/${uuid}`)).pipeline;
    config.ai['local-agent'].model = { primary: modelUuid, fallbacks: [] };
    await api.data('PUT', `/pipelines/${uuid}`, { config });
    return uuid;
  };
  const open = async (pipeline: string, sessionType = 'person') => {
    const chat = await openChat(service.address, {
      pipeline,
      sessionType,
      headers: { authorization: `Bearer ${api.token}` },
    });
    chats.push(chat);
    return chat;
  };
  const requestFor = (text: string) =>
    model.requests.find(({ body }) => JSON.stringify(body?.messages ?? '').includes(text));
  const promptFor = (text: string) => {
    const [first] = (requestFor(text)?.body?.messages ?? []) as { role: string; content: string }[];
    expect(first?.role).toBe('system');
    return first?.content ?? '';
  };
  const ask = async (chat: Chat, text: string) => {
    const before = chat.frames.length;
    chat.say(text);
    await expect
      .poll(() => chat.frames.slice(before).some(({ data }) => data?.is_final && data.role === 'assistant'), patience)
      .toBe(true);
  };

  it('answers from a knowledge base: support', async () => {
    const { body } = await api.upload('handbook.md', '# Returns\n\nGoods can be returned within 30 days.');
    const base = (
      await api.data('POST', '/knowledge/bases', { name: 'Shop', knowledge_engine_plugin_id: 'parley/built-in' })
    ).uuid;
    await api.data('POST', `/knowledge/bases/${base}/files`, { file_id: body.data.file_id });
    await expect
      .poll(async () => (await api.data('GET', `/knowledge/bases/${base}/files`)).files[0]?.status, patience)
      .toBe('completed');
    const chat = await open(await create('support', [base]));
    await ask(chat, 'Until when can goods be returned?');
    const prompt = promptFor('Until when can goods be returned?');
    expect(prompt).toContain('You are the support desk. Today is 20');
    expect(prompt).toContain('Goods can be returned within 30 days.');
    expect(prompt).not.toContain('{{');
  });

  it.each(['faq', 'translator', 'coding'] as const)('answers a private message by its prompt: %s', async (template) => {
    const chat = await open(await create(template));
    await ask(chat, `A message for the ${template}`);
    expect(promptFor(`A message for the ${template}`)).toBe(english.pipelines.templates[template].prompt);
  });

  it('translates each message by itself: translator', async () => {
    const chat = await open(await create('translator'));
    for (const text of ['First of three', 'Second of three', 'Third of three']) await ask(chat, text);
    const told = JSON.stringify(requestFor('Third of three')?.body?.messages);
    expect(told).not.toContain('First of three');
  });

  it('reads a text that comes in several messages: summariser', async () => {
    const chat = await open(await create('summariser'));
    chat.say('The beginning of a report');
    await ask(chat, 'and the end of it');
    const told = JSON.stringify(requestFor('The beginning of a report')?.body?.messages);
    expect(told).toContain('and the end of it');
    expect(promptFor('The beginning of a report')).toBe(english.pipelines.templates.summariser.prompt);
  });

  it('answers in groups only when it is mentioned: moderator', async () => {
    const chat = await open(await create('moderator'), 'group');
    chat.say('Just chatting among us');
    await chat.frame(({ type }) => type === 'user_message');
    chat.send({
      type: 'message',
      message: [
        { type: 'At', target: 'websocketbot' },
        { type: 'Plain', text: ' What are the rules?' },
      ],
    });
    await chat.answer();
    expect(promptFor('What are the rules?')).toContain('1. Be respectful.');
    const { messages } = await api.data('GET', '/messages?direction=inbound&text=Just%20chatting');
    expect(messages[0]).toMatchObject({ state: 'stopped', reason: 'group_rule_not_matched' });
  });

  it.each(templates)('is accepted by the server in its own words: %s', async (template) => {
    expect(await create(template)).toMatch(/^[0-9a-f-]{36}$/);
  });
});
