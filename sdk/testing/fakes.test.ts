import { describe, expect, it } from 'vitest';
import type { MessageEvent } from '../src/message-event.ts';
import { fakeLanguageModel } from './fake-language-model.ts';
import { fakePlatformContext } from './fake-platform-context.ts';

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

  it('fails when it is told to', async () => {
    const error = new Error('no');
    await expect(fakeLanguageModel({ error }).doStream(call)).rejects.toBe(error);
  });
});
