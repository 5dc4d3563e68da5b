import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../factories/start-service-process.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import { type ApiClient, apiKey, type Chat, defaults, openChat, signedIn } from './api-client.ts';

describe('what becomes of an answer on its way to a browser', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-answers-'));
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
    await api.data('POST', '/provider/models/llm', { name: 'large', provider_uuid: uuid });
  });
  afterAll(async () => {
    for (const chat of chats) await chat.close();
    await service.stop();
    await model.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const words = (change: object) => api.data('PUT', '/safety/sensitive-words', change);
  /** Lays some fields of the tab `output` over those that are stored. */
  const configure = async (output: Record<string, object>) => {
    const { config } = (await api.data('GET', `/pipelines/${pipeline}`)).pipeline;
    for (const [group, fields] of Object.entries(output)) Object.assign(config.output[group], fields);
    await api.data('PUT', `/pipelines/${pipeline}`, { config });
  };
  /** Asks in a new conversation, and returns all frames of the answer, in order. */
  const ask = async (chunks: string[], question = 'What is it?') => {
    model.behave({ kind: 'answer', chunks, delayMs: 45 });
    const key = await apiKey(api);
    const chat = await openChat(service.address, { pipeline, headers: { authorization: `Bearer ${key}` } });
    chats.push(chat);
    chat.say(question);
    await chat.answer();
    const frames = chat.frames.filter(({ type }) => type === 'response');
    return { texts: frames.map(({ data }) => data.content as string), last: frames.at(-1)?.data };
  };

  it('a sensitive word over several chunks never reaches the wire, nor does it go into the history', async () => {
    await words({ words: ['secret', 'p.ssword'] });
    const { texts } = await ask(['It is a ', 'sec', 'ret', ' pass', 'word, or sec', 'ond.']);
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.join('\n')).not.toMatch(/sec(?!ond)|p.ss/);
    expect(texts.at(-1)).toBe('It is a ****** ********, or second.');
    for (const [index, text] of texts.entries()) expect(text.startsWith(texts[index - 1] ?? '')).toBe(true);
  });

  it('the current list applies, and an empty one blocks nothing', async () => {
    await words({ words: ['other'], mask_word: '(hidden)' });
    expect((await ask(['No secret ', 'other than that.'])).texts.at(-1)).toBe('No secret (hidden) than that.');
    await words({ words: [], mask_word: '' });
    expect((await ask(['A secr', 'et other.'])).texts).toContain('A secr');
  });

  it('a word without an end has the answer shown only when it is complete', async () => {
    await words({ words: ['from.*to'] });
    expect((await ask(['One from', ' here ', 'to there.'])).texts).toEqual(['One ************ there.']);
    await words({ words: [] });
  });

  it('a question with a sensitive word is not answered, and nothing is asked of the model', async () => {
    await words({ words: ['secret'] });
    const asked = model.requests.length;
    const { last } = await ask(['Never.'], 'Tell me a secret!');
    expect(last.content).toContain('may not be used here');
    expect(model.requests.length).toBe(asked);
    await words({ words: [] });
  });

  it('thoughts are left out before words are looked for, and neither is shown', async () => {
    await words({ words: ['bad', 'think'] });
    await configure({ misc: { 'remove-think': true } });
    const { texts } = await ask([
      '<th',
      'ink>so bad',
      ' indeed</thi',
      'nk>\n\nIt is ba',
      '<think>x</think>',
      'd, I think.',
    ]);
    expect(texts.join('\n')).not.toMatch(/bad|think|so |indeed|</);
    expect(texts.at(-1)).toBe('It is ***, I *****.');
    await configure({ misc: { 'remove-think': false } });
    await words({ words: [] });
  });

  it('a long answer is forwarded when the pipeline says so, and shown when it is complete', async () => {
    await configure({ 'long-text-processing': { threshold: 10, strategy: 'forward' } });
    const { texts, last } = await ask(['A rather ', 'long answer.']);
    expect(texts).toHaveLength(1);
    expect(last.message_chain).toEqual([
      expect.objectContaining({
        type: 'Forward',
        node_list: [expect.objectContaining({ message_chain: [{ type: 'Plain', text: 'A rather long answer.' }] })],
      }),
    ]);
    expect((await ask(['Short.'])).last.message_chain).toEqual([{ type: 'Plain', text: 'Short.' }]);
    await configure({ 'long-text-processing': { strategy: 'none' } });
  });

  it('an answer waits as long as the pipeline says, and others do not', async () => {
    await configure({ 'force-delay': { min: 1, max: 1 } });
    const started = performance.now();
    await Promise.all([ask(['One.']), ask(['Two.'])]);
    expect(performance.now() - started).toBeGreaterThan(1000);
    await configure({ 'force-delay': { min: 0, max: 0 } });
  });
});
