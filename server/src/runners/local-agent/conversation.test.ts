import { type ConversationTurn, type MediaContent, type MessageElement, ParleyError } from '@parley/sdk';
import { type FakeRunnerContextOptions, fakeLanguageModel, openedModel } from '@parley/sdk/testing';
import { describe, expect, it, vi } from 'vitest';
import { askAgent, type Question } from './testing/ask-agent.ts';

const png = (bytes = 4): MediaContent => ({
  name: 'a.png',
  media_type: 'image/png',
  bytes: new Uint8Array(bytes).fill(1),
});
const file = (text: string | Uint8Array, media_type = 'text/plain'): MediaContent => ({
  name: 'stored.txt',
  media_type,
  bytes: typeof text === 'string' ? new TextEncoder().encode(text) : text,
});
const image = (path: string): MessageElement => ({ type: 'Image', path });
const document = (path: string, name = 'notes.txt'): MessageElement => ({ type: 'File', path, name });

/** The contents of all messages that a model with these abilities receives for a question. */
async function shown(question: Question, abilities: string[] = ['vision'], context: FakeRunnerContextOptions = {}) {
  const model = fakeLanguageModel();
  const openModel = async (uuid: string) => openedModel(uuid, model, { abilities });
  const { error } = await askAgent({ ...question, context: { openModel, ...context } });
  expect(error).toBeUndefined();
  return (model.calls[0]?.prompt ?? []).map(({ role, content }) => ({
    role,
    content:
      typeof content === 'string'
        ? [content]
        : content.map((part) =>
            part.type === 'text' ? part.text : part.type === 'file' ? `<${part.mediaType}>` : part.type,
          ),
  }));
}

const lastOf = async (...given: Parameters<typeof shown>) => (await shown(...given)).at(-1)?.content ?? [];

describe('pictures of a question', () => {
  const question = { text: 'What is [Image]?', message_chain: [image('one')] };

  it('are shown to a model that sees', async () => {
    expect(await lastOf(question, ['vision'], { media: { one: png() } })).toEqual(['What is [Image]?', '<image/png>']);
  });

  it('are only mentioned to other models, and not even read', async () => {
    const readMedia = vi.fn();
    expect(await lastOf(question, ['func_call'], { readMedia })).toEqual([
      'What is [Image]?',
      '[A picture came with this message; this model cannot see it.]',
    ]);
    expect(readMedia).not.toHaveBeenCalled();
  });

  it.each<[string, FakeRunnerContextOptions]>([
    ['is gone', {}],
    ['is too large', { readMedia: () => Promise.reject(new ParleyError('too_large', 'x')) }],
    ['is no picture', { media: { one: file('text') } }],
    ['is of an unusual kind', { media: { one: file('<svg/>', 'image/svg+xml') } }],
    ['is larger than all may be', { media: { one: png(17 * 1024 * 1024) } }],
  ])('do not prevent the answer when one %s', async (_, context) => {
    expect(await lastOf(question, ['vision'], context)).toEqual([
      'What is [Image]?',
      '[A picture came with this message; it cannot be shown here.]',
    ]);
  });

  it('are as many and as large as a provider takes', async () => {
    const chain = Array.from({ length: 12 }, () => image('one'));
    const few = await lastOf({ text: 'x', message_chain: chain.map((element) => ({ ...element })) }, ['vision'], {
      media: { one: png() },
    });
    expect(few.filter((part) => part === '<image/png>')).toHaveLength(10);
    const large = await lastOf({ text: 'x', message_chain: chain.map((element) => ({ ...element })) }, ['vision'], {
      media: { one: png(5 * 1024 * 1024) },
    });
    expect(large.filter((part) => part === '<image/png>')).toHaveLength(3);
  });

  it('may be sent as files', async () => {
    const chain = [document('one', 'a.png')];
    expect(await lastOf({ text: 'x', message_chain: chain }, ['vision'], { media: { one: png() } })).toEqual([
      'x',
      '<image/png>',
    ]);
    expect(await lastOf({ text: 'x', message_chain: chain }, [], { media: { one: png() } })).toEqual([
      'x',
      '[The picture "a.png" came with this message; it cannot be shown here.]',
    ]);
  });

  it('are read once, however many models are called', async () => {
    const readMedia = vi.fn(async () => png());
    const refused = Object.assign(new Error('x'), { name: 'AI_APICallError', statusCode: 400 });
    const last = fakeLanguageModel();
    const openModel = async (uuid: string) =>
      openedModel(uuid, uuid === 'third' ? last : fakeLanguageModel({ error: refused }));
    const config = { model: { primary: 'first', fallbacks: ['second', 'third'] } };
    const { text } = await askAgent({ ...question, config, context: { openModel, readMedia } });
    expect(text).toBe('Hello there.');
    expect(readMedia).toHaveBeenCalledOnce();
    expect(JSON.stringify(last.calls[0]?.prompt)).toContain('image/png');
  });

  it('are not waited for when the answer is aborted', async () => {
    const controller = new AbortController();
    const reason = new ParleyError('cancelled', 'x');
    const readMedia = () => {
      setTimeout(() => controller.abort(reason), 5);
      return new Promise<never>(() => undefined);
    };
    const openModel = async (uuid: string) => openedModel(uuid, fakeLanguageModel());
    const { error } = await askAgent({ ...question, context: { openModel, readMedia }, signal: controller.signal });
    expect(error).toBe(reason);
  });
});

describe('files of a question', () => {
  const ask = (media: MediaContent, name?: string) =>
    lastOf({ text: 'Read it', message_chain: [document('one', name)] }, [], { media: { one: media } });

  it.each([
    ['text', file('line one\nline two')],
    ['text of another name', file('{"a": 1}', 'application/json')],
    ['text with an unknown media type', file('a,b\n1,2', 'application/octet-stream')],
    ['UTF-16', file(new Uint8Array([0xff, 0xfe, 0x41, 0, 0x42, 0]))],
    ['UTF-16 the other way', file(new Uint8Array([0xfe, 0xff, 0, 0x41, 0, 0x42]))],
  ])('are read out when they are %s', async (_, media) => {
    const [, part] = await ask(media);
    expect(part).toMatch(/^The file "notes.txt":\n[\s\S]+\n\[End of the file "notes.txt"\]$/);
    expect(part).toMatch(/line two|"a": 1|a,b|AB/);
  });

  it.each([
    ['is binary', file(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), 'application/zip')],
    ['has a byte that no text has', file('a\0b')],
    ['is not in UTF-8', file(new Uint8Array([0xc4, 0xe3, 0xba, 0xc3]))],
  ])('are named when one %s', async (_, media) => {
    const [, part] = await ask(media, 'x"y\n.bin');
    expect(part).toBe(
      `[The file "x\\"y\\n.bin" (${media.media_type}, ${media.bytes.length} bytes) came with this message; its content cannot be read here.]`,
    );
  });

  it('are cut when they are long, together', async () => {
    const long = file('今'.repeat(50_000));
    const chain = [document('one', 'one.txt'), document('two', 'two.txt'), document('three', 'three.txt')];
    const media = { one: long, two: long, three: long };
    const [, ...parts] = await lastOf({ text: 'x', message_chain: chain }, [], { media });
    expect(parts.map((part) => part.match(/今/g)?.length ?? 0)).toEqual([50_000, 10_000, 0]);
    expect(parts[1]).toContain('[Cut here: the whole has 50000 characters.]');
  });

  it('are looked into only so many', async () => {
    const readMedia = vi.fn(async () => file('short'));
    const chain = Array.from({ length: 100 }, (_, index) => document(String(index)));
    const parts = await lastOf({ text: 'x', message_chain: chain }, [], { readMedia });
    expect(readMedia).toHaveBeenCalledTimes(20);
    expect(parts).toHaveLength(101);
    expect(parts.at(-1)).toBe('[The file "notes.txt" came with this message; it cannot be read here.]');
  });

  it('that cannot be read are named', async () => {
    expect(await lastOf({ text: 'x', message_chain: [document('gone'), { type: 'File', id: '7' }] }, [])).toEqual([
      'x',
      '[The file "notes.txt" came with this message; it cannot be read here.]',
      '[The file "file" came with this message; it cannot be read here.]',
    ]);
  });
});

describe('history', () => {
  const turn = (
    role: ConversationTurn['role'],
    text: string,
    ...message_chain: MessageElement[]
  ): ConversationTurn => ({
    role,
    text,
    message_chain,
  });

  it('keeps the pictures of the latest questions', async () => {
    const history = Array.from({ length: 6 }, (_, index) => [
      turn('user', `question ${index}`, image(`${index}`)),
      turn('assistant', `answer ${index}`, image('made')),
    ]).flat();
    const media = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`${index}`, png()]));
    const prompt = await shown({ history, text: 'now' }, ['vision'], { media });
    expect(prompt.filter(({ content }) => content.includes('<image/png>')).map(({ content }) => content[0])).toEqual([
      'question 2',
      'question 3',
      'question 4',
      'question 5',
    ]);
    expect(prompt.map(({ role }) => role)).toEqual([...Array(6).fill(['user', 'assistant']).flat(), 'user']);
  });

  it('leaves room for the pictures of the question', async () => {
    const history = [turn('user', 'before', image('old')), turn('assistant', 'yes')];
    const media = { old: png(10 * 1024 * 1024), now: png(10 * 1024 * 1024) };
    const prompt = await shown({ history, text: 'now', message_chain: [image('now')] }, ['vision'], { media });
    expect(prompt.at(-1)?.content).toEqual(['now', '<image/png>']);
    expect(prompt[0]?.content).toEqual(['before', '[A picture came with this message; it cannot be shown here.]']);
  });

  it('renders a message without text, and skips an empty answer', async () => {
    const history = [
      turn('user', '', { type: 'At', target: 1, display: 'Bot' }),
      turn('assistant', ' '),
      turn('user', ''),
      turn('assistant', '', image('made')),
    ];
    const prompt = await shown({ history, text: '', message_chain: [] });
    expect(prompt).toEqual([
      { role: 'user', content: ['@Bot'] },
      { role: 'user', content: ['[A message without text]'] },
      { role: 'assistant', content: ['[Image]'] },
      { role: 'user', content: ['[A message without text]'] },
    ]);
  });
});
