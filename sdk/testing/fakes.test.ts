import { describe, expect, it } from 'vitest';
import type { MessageEvent } from '../src/message-event.ts';
import { fakeLanguageModel } from './fake-language-model.ts';
import { fakePlatformContext } from './fake-platform-context.ts';
import { fakeRunnerContext, fakeRunnerMemory } from './fake-runner-context.ts';
import { pipelineMessage } from './fake-stage-context.ts';
import { fakeTool } from './fake-tool.ts';

const event = (platform_message_id: string): MessageEvent => ({
  platform_message_id,
  session_type: 'person',
  session_id: 'someone',
  sender_id: 'someone',
  message_chain: [{ type: 'Plain', text: 'Hello' }],
});

describe('fakePlatformContext', () => {
  it('knows a repeated message by its id', async () => {
    const context = fakePlatformContext();
    const first = await context.receive(event('a'));
    const second = await context.receive(event('b'));
    expect(first).toMatchObject({ outcome: 'accepted', sequence: 1 });
    expect(second).toMatchObject({ outcome: 'accepted', sequence: 2 });
    expect(await context.receive(event('a'))).toEqual({ ...first, outcome: 'repeated' });
    expect(context.received).toHaveLength(3);
  });
});

describe('fakeLanguageModel', () => {
  const call = { prompt: [] };

  it('answers the same way at once and as a stream, and remembers the calls', async () => {
    const model = fakeLanguageModel({ chunks: ['a', 'b'], reasoning: ['hm'] });
    const { stream } = await model.doStream(call);
    const text: string[] = [];
    for await (const part of stream) if (part.type === 'text-delta') text.push(part.delta);
    expect(text).toEqual(['a', 'b']);
    expect((await model.doGenerate(call)).content).toEqual([{ type: 'text', text: 'ab' }]);
    expect(model.calls).toEqual([call, call]);
  });

  it('fails on request', async () => {
    const error = new Error('no');
    await expect(fakeLanguageModel({ error }).doStream(call)).rejects.toBe(error);
  });

  it('answers each call in turn, and all later ones like the last', async () => {
    const toolCalls = [{ toolName: 'look_up', input: { query: 'x' } }];
    const files = [{ mediaType: 'image/png', data: 'AAAA' }];
    const model = fakeLanguageModel({ answers: [{ toolCalls }, { files }, { chunks: ['done'] }] });
    const answers = [];
    for (let index = 0; index < 4; index += 1) answers.push(await model.doGenerate(call));
    expect(answers.map(({ content }) => content.at(-1))).toEqual([
      { type: 'tool-call', toolCallId: 'call-1-1', toolName: 'look_up', input: '{"query":"x"}' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
      { type: 'text', text: 'done' },
      { type: 'text', text: 'done' },
    ]);
    expect(answers.map(({ finishReason }) => finishReason.unified)).toEqual(['tool-calls', 'stop', 'stop', 'stop']);
  });
});

describe('fakeRunnerMemory', () => {
  it('stores state up to the size limit', async () => {
    const memory = fakeRunnerMemory('before');
    expect(await memory.read()).toBe('before');
    await memory.write('after');
    await expect(memory.write('x'.repeat(10_001))).rejects.toMatchObject({ reason: 'too_large' });
    expect(await memory.read()).toBe('after');
  });
});

describe('fakeTool', () => {
  it('returns scripted results and records calls', async () => {
    const context = { message: pipelineMessage(), signal: new AbortController().signal, progress: () => undefined };
    const tool = fakeTool();
    expect(await tool.call({ query: 'x' }, context)).toEqual({ text: '{"query":"x"}' });
    expect(tool.calls).toEqual([{ parameters: { query: 'x' }, context }]);
    expect(await fakeTool({ answer: 'yes' }).call({}, context)).toEqual({ text: 'yes' });
    const broken = fakeTool({ answer: () => Promise.reject(new Error('no')) });
    await expect(broken.call({}, context)).rejects.toThrow('no');
  });
});

describe('fakeRunnerContext', () => {
  it('has only the given tools and files', async () => {
    const file = { name: 'a.txt', media_type: 'text/plain', bytes: new Uint8Array([65]) };
    const context = fakeRunnerContext({ tools: [fakeTool({ answer: 'found' })], media: { one: file } });
    const { signal } = new AbortController();
    expect((await context.tools.list()).map(({ name }) => name)).toEqual(['look_up']);
    expect(await context.tools.call('look_up', {}, signal)).toEqual({ text: 'found', failed: false });
    expect(await context.tools.call('other', {}, signal)).toMatchObject({ failed: true });
    await expect(context.tools.call('look_up', {}, AbortSignal.abort('stop'))).rejects.toBe('stop');
    expect(await context.readMedia({ type: 'File', path: 'one' })).toBe(file);
    await expect(context.readMedia({ type: 'File', path: 'two' })).rejects.toMatchObject({ reason: 'not_found' });
    expect((await context.openModel('a')).keys).toBe(1);
  });
});
