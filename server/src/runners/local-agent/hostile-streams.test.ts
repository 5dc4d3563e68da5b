import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { fakeLanguageModel, openedModel } from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import { askAgent } from './testing/ask-agent.ts';
import { askOverWire, wireDigest, wireProtocols } from './testing/ask-over-wire.ts';
import type { WireConversation } from './testing/wire-conversations.ts';

const text = 'Zwölf Löwen 🦁🐯 warten 今日は。';
const conversation: WireConversation = {
  request: { text: 'Hi', message_chain: [{ type: 'Plain', text: 'Hi' }], history: [], knowledge_bases: [] },
  config: {},
  abilities: [['func_call'], ['func_call']],
  extraArguments: {},
  hasTools: true,
  turns: [
    {
      answer: {
        reasoning: [text],
        signature: '',
        text: [],
        calls: [{ id: 'call-1', name: 'weather', input: `{"query": "${text}"}` }],
        file: null,
      },
      ending: 'ends',
    },
    { answer: { reasoning: [], signature: '', text: [text, text], calls: [], file: null }, ending: 'ends' },
  ],
};

it('a stream of 20,000 chunks is passed on chunk by chunk', async () => {
  const chunks = Array.from({ length: 20_000 }, (_, index) => `${index} `);
  const count = { total: 20_000, text: 20_000, reasoning: undefined };
  const parts: LanguageModelV4StreamPart[] = [
    { type: 'text-start', id: '1' },
    ...chunks.map((delta) => ({ type: 'text-delta' as const, id: '1', delta })),
    { type: 'text-end', id: '1' },
    {
      type: 'finish',
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: count,
      },
    },
  ];
  const model = {
    ...fakeLanguageModel(),
    doStream: async () => ({ stream: new ReadableStream({ pull: (control) => enqueue(control, parts.shift()) }) }),
  };
  const { deltas, error, calls } = await askAgent({
    context: { openModel: async (uuid) => openedModel(uuid, model) },
  });
  expect(error).toBeUndefined();
  expect(deltas.flatMap((delta) => (delta.type === 'text' ? [delta.text] : []))).toEqual(chunks);
  expect(calls).toMatchObject([{ reason: null, output_tokens: 20_000 }]);
});

function enqueue(
  control: ReadableStreamDefaultController<LanguageModelV4StreamPart>,
  part: LanguageModelV4StreamPart | undefined,
) {
  if (part === undefined) control.close();
  else control.enqueue(part);
}

describe('a stream that arrives byte by byte is read like any other', () => {
  it.each(wireProtocols)('%s', async (protocol) => {
    const whole = await askOverWire(conversation, protocol);
    const inBytes = await askOverWire(conversation, protocol, (chunks) =>
      [...Buffer.concat(chunks)].map((byte) => Uint8Array.of(byte)),
    );
    expect(inBytes.requests).toHaveLength(2);
    expect(wireDigest(inBytes)).toBe(wireDigest(whole));
    expect(inBytes.outcome).toContainEqual({ type: 'text', text });
    expect(inBytes.requests[1]?.body).toContain(text);
  });
});

describe('arguments of a tool that are no JSON', () => {
  it.each(wireProtocols.filter((name) => name !== 'gemini'))('%s', async (protocol) => {
    const [first, last] = conversation.turns;
    if (first === undefined || last === undefined || !('answer' in first)) throw new Error('no turns');
    const calls = [{ id: 'call-1', name: 'weather', input: '{"query": "half' }];
    const { requests, outcome } = await askOverWire(
      { ...conversation, turns: [{ answer: { ...first.answer, calls }, ending: 'ends' }, last] },
      protocol,
    );
    expect(outcome).toContainEqual({ type: 'tool_call', name: 'weather' });
    expect(outcome).toContainEqual({ type: 'text', text });
    // The model reads its call with no arguments, and the result of the tool that was called with the text.
    expect(requests[1]?.body).not.toContain('half');
    expect(requests[1]?.body).toContain('Sunny');
  });
});
