import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeTelegram, startFakeTelegram } from '../../src/platforms/telegram/testing/fake-telegram.ts';
import { ada, bob, group, incoming } from '../../src/platforms/telegram/testing/fixtures.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';

/** Waits for what must come, also on a machine that has much to do. */
const eventually = <Value>(actual: () => Value) => expect.poll(actual, { timeout: 10_000 });

describe('a pipeline between a messenger and a model, both over sockets', () => {
  let service: TestService;
  let model: FakeOpenAi;
  let fake: FakeTelegram;
  let pipeline: string;
  let bot: string;

  const request = (method: string, url: string, json?: unknown) =>
    service.request({ method, url, bearer: service.account.token, ...(json === undefined ? {} : { json }) });
  const data = async (method: string, url: string, json?: unknown) => {
    const { status, text, body } = await request(method, url, json);
    if (status !== 200) throw new Error(`${method} ${url}: ${text}`);
    return body.data;
  };
  /** Changes groups of the pipeline's configuration. */
  const configure = async (changes: Record<string, Record<string, Record<string, unknown>>>) => {
    const { config } = (await data('GET', `/api/v1/pipelines/${pipeline}`)).pipeline;
    for (const [tab, groups] of Object.entries(changes)) {
      for (const [group, fields] of Object.entries(groups)) Object.assign(config[tab][group], fields);
    }
    await data('PUT', `/api/v1/pipelines/${pipeline}`, { config });
  };
  const say = (text: string, over: object = {}) => fake.deliver(incoming({ text, ...over }));
  const textsIn = (chat: number) =>
    fake.messages.filter(({ chat_id }) => chat_id === chat).map(({ text }) => text ?? '');
  const messageOf = async (text: string) => {
    const { messages } = await data('GET', `/api/v1/messages?bot_uuid=${bot}&direction=inbound`);
    return messages.find((message: { text: string }) => message.text === text);
  };
  const explain = async (text: string) => data('GET', `/api/v1/messages/${(await messageOf(text))?.uuid}/explain`);

  beforeAll(async () => {
    model = await startFakeOpenAi();
    service = await startTestService();
    const provider = await data('POST', '/api/v1/provider/providers', {
      name: 'Fake',
      requester: 'openai-chat-completions',
      base_url: model.base_url,
      api_keys: ['sk-0123456789abcdefghij'],
    });
    await data('POST', '/api/v1/provider/models/llm', { name: 'large', provider_uuid: provider.uuid });
    pipeline = (await data('GET', '/api/v1/pipelines')).pipelines[0].uuid;
  });
  afterAll(async () => {
    await service.stop();
    await model.close();
  });
  beforeEach(async () => {
    fake = await startFakeTelegram();
    const adapter_config = { token: fake.token, api_base_url: fake.apiBaseUrl, 'enable-stream-reply': true };
    const record = { name: 'Parrot', adapter: 'telegram', adapter_config, enable: true, use_pipeline_uuid: pipeline };
    bot = (await data('POST', '/api/v1/platform/bots', record)).uuid;
  });
  afterEach(async () => {
    await data('DELETE', `/api/v1/platform/bots/${bot}`);
    await fake.close();
  });

  it('blocks every sensitive word, also one that is split over chunks of a streamed answer', async () => {
    await data('PUT', '/api/v1/safety/sensitive-words', {
      words: ['swordfish', 'open sesame'],
      mask: '*',
      mask_word: '',
    });
    const answer =
      'The word is swordfish, and the other one is open sesame. That is all there is to say of it, my friend.';
    model.behave({ kind: 'answer', chunks: [...answer], delayMs: 25 });
    say('What is the word?');
    await eventually(() => textsIn(ada.id)[0]).toMatch(/my friend\.$/);
    expect(textsIn(ada.id)).toEqual([answer.replace('swordfish', '*********').replace('open sesame', '***********')]);
    const calls = [...fake.callsOf('sendMessage'), ...fake.callsOf('editMessageText')];
    expect(calls.length).toBeGreaterThan(2);
    const wire = calls.map((call) => JSON.stringify(call));
    for (const body of wire) expect(body).not.toMatch(/swordfish|open sesame/);
    // Nor a prefix that could still become one.
    const shown = wire.filter((body) => /word is s|one is o/.test(body));
    expect(shown).toEqual([]);
    say('swordfish');
    await eventually(() => explain('swordfish').catch(() => null)).toMatchObject({
      outcome: 'stopped',
      reason: 'sensitive_word',
    });
    await data('PUT', '/api/v1/safety/sensitive-words', { words: [], mask: '*', mask_word: '' });
  });

  it('tells of each message what became of it, and why', async () => {
    model.behave({ kind: 'answer', chunks: ['Fo', 'ur'], usage: { prompt_tokens: 12, completion_tokens: 3 } });
    await data('PUT', '/api/v1/provider/model-prices/large', { input_price: 1_000_000, output_price: 2_000_000 });
    say('Two and two?');
    await eventually(() => textsIn(ada.id)).toEqual(['Four']);
    await eventually(async () => (await explain('Two and two?')).outcome).toBe('answered');
    expect(await explain('Two and two?')).toMatchObject({
      outcome: 'answered',
      reason: 'answered',
      attempts: 1,
      model_calls: [{ model_name: 'large', input_tokens: 12, output_tokens: 3, cost: 18, reason: null }],
      deliveries: [
        { piece: 0, state: 'sent', reason: null, platform_message_id: expect.stringMatching(/^1001\/\d+$/) },
      ],
    });
    say('to another user', { chat: group, from: bob });
    await eventually(async () => (await messageOf('to another user'))?.reason).toBe('group_rule_not_matched');
    model.behave({ kind: 'error', status: 429, message: 'slow down', headers: { 'retry-after': '3600' } });
    say('And now?');
    await eventually(async () => (await messageOf('And now?'))?.reason).toBe('quota');
    expect(await explain('And now?')).toMatchObject({
      outcome: 'failed',
      reason: 'quota',
      model_calls: [{ reason: 'quota' }],
    });
  });

  it('joins what is written in pieces, and answers it once', async () => {
    model.behave({ kind: 'answer', chunks: ['Both'] });
    await configure({ trigger: { 'message-aggregation': { enabled: true, delay: 1 } } });
    say('First');
    say('and second');
    await eventually(() => textsIn(ada.id)).toEqual(['Both']);
    expect(model.requests.at(-1)?.body?.messages).toMatchObject([{ role: 'system' }, { content: 'First\nand second' }]);
    await eventually(async () => (await messageOf('and second'))?.reason).toBe('merged');
    await configure({ trigger: { 'message-aggregation': { enabled: false } } });
  });

  it('stops an answer that is cancelled, at once, and answers what comes next', async () => {
    model.behave({ kind: 'stall', chunks: ['It was a dark and stormy night'] });
    say('Tell me a story');
    await eventually(() => textsIn(ada.id)).toEqual(['It was a dark and stormy night']);
    say('And another one');
    say('!cancel');
    await eventually(() => textsIn(ada.id)).toHaveLength(2);
    expect(textsIn(ada.id)[1]).toMatch(/cancelled/i);
    await model.requests.at(-1)?.closed;
    expect(await messageOf('Tell me a story')).toMatchObject({ state: 'stopped', reason: 'answer_stopped' });
    expect(await messageOf('And another one')).toMatchObject({ state: 'stopped', reason: 'cancelled' });
    model.behave({ kind: 'answer', chunks: ['Here'] });
    say('Are you there?');
    await eventually(() => textsIn(ada.id).at(-1)).toBe('Here');
  });

  it('lets a rate limit delay messages without blocking others', async () => {
    model.behave((index) => ({ kind: 'answer', chunks: [`answer ${index}`] }));
    await configure({ safety: { 'rate-limit': { 'window-length': 2, limitation: 1, strategy: 'wait' } } });
    say('one');
    say('two');
    say('three');
    await eventually(() => textsIn(ada.id)).toHaveLength(3);
    await eventually(async () => (await messageOf('three'))?.state).toBe('answered');
    const answered = await Promise.all(['one', 'two', 'three'].map(messageOf));
    const windowOf = (timestamp: string) => Math.floor(Date.parse(timestamp) / 2000);
    // Each is let through in a window of its own; on a busy machine, it may end in a later one.
    expect(windowOf(answered[2].finished_at) - windowOf(answered[0].created_at)).toBeGreaterThanOrEqual(2);
    expect(windowOf(answered[1].finished_at) - windowOf(answered[0].created_at)).toBeGreaterThanOrEqual(1);
    await configure({ safety: { 'rate-limit': { 'window-length': 60, limitation: 60, strategy: 'drop' } } });
  });

  it('sends a long answer in messages that the messenger takes', async () => {
    const paragraph = `${'All work and no play makes Jack a dull boy. '.repeat(20).trim()}\n\n`;
    model.behave({ kind: 'answer', chunks: Array.from({ length: 10 }, () => paragraph) });
    say('Write a book');
    await eventually(() => textsIn(ada.id).join('').length).toBeGreaterThan(8500);
    await eventually(async () => (await messageOf('Write a book'))?.state).toBe('answered');
    const texts = textsIn(ada.id);
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(4096);
    expect(texts.join('\n\n').trim()).toBe(paragraph.repeat(10).trim());
    expect((await explain('Write a book')).deliveries).toHaveLength(texts.length);
  });

  it('answers through the pipeline that the first matching rule names', async () => {
    const config = { ai: { 'local-agent': { prompt: [{ role: 'system', content: 'Speak French.' }] } } };
    const { uuid: french } = await data('POST', '/api/v1/pipelines', { name: 'French', config });
    const { config: whole } = (await data('GET', `/api/v1/pipelines/${pipeline}`)).pipeline;
    await data('PUT', `/api/v1/pipelines/${french}`, {
      config: {
        ...whole,
        ai: { ...whole.ai, 'local-agent': { ...whole.ai['local-agent'], ...config.ai['local-agent'] } },
      },
    });
    const pipeline_routing_rules = [{ pipeline_uuid: french, keywords: ['bonjour'] }];
    await data('PUT', `/api/v1/platform/bots/${bot}`, { pipeline_routing_rules });
    model.behave({ kind: 'answer', chunks: ['Salut'] });
    say('Bonjour!');
    await eventually(() => textsIn(ada.id)).toEqual(['Salut']);
    expect(model.requests.at(-1)?.body?.messages).toMatchObject([
      { content: 'Speak French.' },
      { content: 'Bonjour!' },
    ]);
    const inUse = await request('DELETE', `/api/v1/pipelines/${french}`);
    expect([inUse.status, inUse.body.reason]).toEqual([409, 'in_use']);
    await data('PUT', `/api/v1/platform/bots/${bot}`, { pipeline_routing_rules: [] });
    await data('DELETE', `/api/v1/pipelines/${french}`);
  });
});
