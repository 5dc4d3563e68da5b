import type { MediaContent, MessageElement } from '@parley/sdk';
import { fakeRunnerContext } from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import { questionWithFiles } from './question-files.ts';

const file = (name: string, size = 3): MediaContent => {
  return { name, media_type: 'text/plain', bytes: new Uint8Array(size) };
};
const all = ['Image', 'Voice', 'File'] as const;

function question(
  message_chain: MessageElement[],
  media: Record<string, MediaContent>,
  {
    types = all as readonly (typeof all)[number][],
    take = async ({ name }: MediaContent): Promise<string | null> => name,
    signal = new AbortController().signal,
    readMedia = fakeRunnerContext({ media }).readMedia,
  } = {},
) {
  const context = { ...fakeRunnerContext({ media }), readMedia };
  return questionWithFiles({ text: 'the text', message_chain, signal }, context, types, take);
}

describe('a question', () => {
  it('is parted from its files, which have the names that they were sent with', async () => {
    const chain: MessageElement[] = [
      { type: 'Plain', text: 'Look: ' },
      { type: 'Image', path: 'a' },
      { type: 'File', path: 'b', name: 'sent.txt' },
      { type: 'At', target: 'bot' },
    ];
    expect(await question(chain, { a: file('a.png'), b: file('stored.txt') })).toEqual({
      text: 'Look: @bot',
      parts: ['a.png', 'sent.txt'],
    });
  });

  it('is unchanged without files', async () => {
    expect(await question([], {})).toEqual({ text: 'the text', parts: [] });
    expect(await question([{ type: 'Image', path: 'gone' }], {})).toEqual({ text: 'the text', parts: [] });
    const chain: MessageElement[] = [{ type: 'Voice', path: 'a' }];
    expect(await question(chain, { a: file('a') }, { types: ['Image'] })).toEqual({ text: 'the text', parts: [] });
  });

  it('mentions files that are not sent: missing, rejected, or of another kind', async () => {
    const chain: MessageElement[] = [
      { type: 'Image', path: 'gone' },
      { type: 'File', path: 'refused', name: 'b.zip' },
      { type: 'Voice', path: 'voice' },
      { type: 'Image', path: 'a' },
    ];
    const media = { refused: file('b.zip'), voice: file('voice'), a: file('a.png') };
    const take = async ({ name }: MediaContent) => (name === 'b.zip' ? null : name);
    expect(await question(chain, media, { types: ['Image', 'File'], take })).toEqual({
      text: '[Image][File]b.zip[Voice]',
      parts: ['a.png'],
    });
  });

  it('goes with ten files at most', async () => {
    const chain = new Array<MessageElement>(12).fill({ type: 'Image', path: 'a' }).map((element) => ({ ...element }));
    const { text, parts } = await question(chain, { a: file('a.png') });
    expect(parts).toHaveLength(10);
    expect(text).toBe('[Image][Image]');
  });

  it('goes with 32 MB at most', async () => {
    const chain: MessageElement[] = ['large', 'large', 'small'].map((path) => ({ type: 'Image', path }));
    const { parts } = await question(chain, { large: file('large', 20 * 1024 * 1024), small: file('small') });
    expect(parts).toEqual(['large', 'small']);
  });

  it('does not wait for a file when it is aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('aborted');
    const readMedia = () => new Promise<never>(() => undefined);
    const asked = question([{ type: 'Image', path: 'a' }], {}, { signal: controller.signal, readMedia });
    controller.abort(reason);
    await expect(asked).rejects.toBe(reason);
  });

  it('fails with whatever goes wrong while a file is sent', async () => {
    const take = () => Promise.reject(new Error('no'));
    await expect(question([{ type: 'Image', path: 'a' }], { a: file('a') }, { take })).rejects.toThrow('no');
  });
});
