import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { AnswerFilter, Logger, MessageChain, MessageElementType } from '@parley/sdk';
import { fakeStageContext, pipelineMessage, silentLogger, stageContract } from '@parley/sdk/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLongText } from './index.ts';
import { squareFont } from './testing/square-font.ts';

type Strategy = 'forward' | 'image' | 'none';
interface Settings {
  strategy?: Strategy;
  threshold?: number;
  'font-path'?: string;
}

const plain = (text: string): MessageChain => [{ type: 'Plain', text }];
const everything: MessageElementType[] = ['Plain', 'Image', 'Forward'];
const letters = 'abcdefghijklmnopqrstuvwxyz0123456789 .,中文字图片长回复，。';

let data: string;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'parley-fonts-'));
  await mkdir(join(data, 'fonts', 'more'), { recursive: true });
  await writeFile(join(data, 'fonts', 'squares.ttf'), squareFont(letters));
  await writeFile(join(data, 'fonts', 'more', 'squares.ttf'), squareFont(letters));
  await writeFile(join(data, 'fonts', 'broken.ttf'), 'no font');
  await writeFile(join(data, 'outside.ttf'), squareFont(letters));
  await symlink(join(data, 'outside.ttf'), join(data, 'fonts', 'link.ttf'));
});
afterAll(() => rm(data, { recursive: true }));

const context = (settings: Settings, elements = everything, logger: Logger = silentLogger) =>
  fakeStageContext(createLongText({ fontDirectory: '' }), {
    config: { output: { 'long-text-processing': { threshold: 10, 'font-path': 'squares.ttf', ...settings } } },
    platform: { text_limit: null, elements },
    logger,
  });
const filterOf = (...parameters: Parameters<typeof context>) =>
  createLongText({ fontDirectory: join(data, 'fonts') }).answer?.(
    pipelineMessage(),
    context(...parameters),
  ) as AnswerFilter | null;
const finish = async (chain: MessageChain, ...parameters: Parameters<typeof context>) =>
  filterOf(...parameters)?.finish?.([chain]);
const picturesOf = (messages: MessageChain[] = []) =>
  messages.map(([element, ...others]) => {
    expect(others).toEqual([]);
    return element?.type === 'Image' ? (element.base64 ?? '') : '';
  });
/** Size of a PNG, and how much of it is not white. */
async function looked(uri = '') {
  expect(uri).toMatch(/^data:image\/png;base64,/);
  const image = await loadImage(Buffer.from(uri.replace(/^[^,]*,/, ''), 'base64'));
  const drawing = createCanvas(image.width, image.height).getContext('2d');
  drawing.drawImage(image, 0, 0);
  const { data: pixels } = drawing.getImageData(0, 0, image.width, image.height);
  let dark = 0;
  for (let index = 0; index < pixels.length; index += 4) if ((pixels[index] ?? 255) < 128) dark += 1;
  return { width: image.width, height: image.height, dark };
}

const forward = { platform: { text_limit: null, elements: everything } };
stageContract({
  stage: createLongText({ fontDirectory: '/nowhere' }),
  contexts: [{}, { ...forward, config: { output: { 'long-text-processing': { strategy: 'forward', threshold: 5 } } } }],
});

describe('output.long-text-processing.threshold', () => {
  it.each([
    [10, '0123456789', false],
    [10, '0123456789a', true],
    [3, '😀😀😀', false],
    [3, '中文字图', true],
  ])('%d: %s is long: %s', async (threshold, text, isLong) => {
    const change = await finish(plain(text), { strategy: 'forward', threshold });
    expect(change?.reason).toBe(isLong ? 'long_text' : undefined);
    if (!isLong) expect(change).toEqual({ messages: [plain(text)] });
    else expect(change?.details).toEqual({ form: 'forward', characters: [...text].length });
  });

  it('counts all texts of an answer together', async () => {
    const change = await finish([...plain('01234'), ...plain('56789a')], { strategy: 'forward' });
    expect(change?.details).toEqual({ form: 'forward', characters: 11 });
  });

  it('does not matter for an answer that is more than text', async () => {
    const chain: MessageChain = [...plain('a'.repeat(50)), { type: 'Image', url: 'https://example.com/a' }];
    expect(await finish(chain, { strategy: 'forward' })).toEqual({ messages: [chain] });
    expect(await finish([], { strategy: 'forward' })).toEqual({ messages: [[]] });
  });
});

describe('output.long-text-processing.strategy: forward', () => {
  it('one forwarded message contains the whole answer, which is not streamed', async () => {
    const text = 'First line\nand more of it.';
    expect(filterOf({ strategy: 'forward' })).toMatchObject({ needsWholeText: true });
    expect((await finish(plain(text), { strategy: 'forward' }))?.messages).toEqual([
      [
        {
          type: 'Forward',
          display: expect.objectContaining({ preview: ['First line'] }),
          node_list: [{ sender_id: 'bot', sender_name: 'Bot', message_chain: plain(text) }],
        },
      ],
    ]);
  });

  it('the answer is left as text where the platform cannot forward', () => {
    expect(filterOf({ strategy: 'forward' }, ['Plain', 'Image'])).toBeNull();
  });
});

describe('output.long-text-processing.strategy: none', () => {
  it('the answer is left as text', () => {
    expect(filterOf({ strategy: 'none' })).toBeNull();
  });
});

describe('output.long-text-processing.strategy: image', () => {
  it('a picture shows the answer, which is not shown before', async () => {
    expect(filterOf({ strategy: 'image' })).toMatchObject({ needsWholeText: true });
    const change = await finish(plain('a long text of letters\nand 中文'), { strategy: 'image' });
    expect(change).toMatchObject({ reason: 'long_text', details: { form: 'image', characters: 29 } });
    const [picture, ...others] = picturesOf(change?.messages);
    expect(others).toEqual([]);
    expect(await looked(picture)).toMatchObject({ width: 800, height: 160, dark: expect.any(Number) });
    expect((await looked(picture)).dark).toBeGreaterThan(50);
  });

  it('a longer answer takes more pictures, none of them too high', async () => {
    const text = Array.from({ length: 90 }, (_, index) => `line ${index}`).join('\n');
    const pictures = picturesOf((await finish(plain(text), { strategy: 'image' }))?.messages);
    const sizes = await Promise.all(pictures.map(looked));
    expect(sizes.map(({ width, height }) => [width, height])).toEqual([
      [800, 1600],
      [800, 1600],
      [800, 640],
    ]);
    expect(new Set(pictures).size).toBe(3);
  });

  it('an answer that is too long for pictures is forwarded, else left as text', async () => {
    const text = 'word\n'.repeat(1000);
    expect((await finish(plain(text), { strategy: 'image' }))?.details).toMatchObject({ form: 'forward' });
    expect((await finish(plain('a'.repeat(200_000)), { strategy: 'image' }))?.details).toMatchObject({
      form: 'forward',
    });
    expect(await finish(plain(text), { strategy: 'image' }, ['Plain', 'Image'])).toEqual({ messages: [plain(text)] });
  });

  it('the answer is forwarded where the platform has no pictures, else left as text', async () => {
    const text = plain('a long text of letters');
    expect((await finish(text, { strategy: 'image' }, ['Plain', 'Forward']))?.details).toMatchObject({
      form: 'forward',
    });
    expect(filterOf({ strategy: 'image' }, ['Plain'])).toBeNull();
  });

  it('drawing does not hold up others for long', async () => {
    const text = plain('我们今天下午去公园散步, and more words 中文字图片长回复。'.repeat(150));
    await finish(text, { strategy: 'image' });
    const longest: number[] = [];
    for (let run = 0; run < 3; run += 1) {
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      await finish(plain(`${'图片长回复 words '.repeat(400)}`), { strategy: 'image' });
      delay.disable();
      longest.push(delay.max / 1e6);
    }
    // Drawing takes the same time each time; what else a busy machine does, does not.
    expect(Math.min(...longest)).toBeLessThan(200);
  });
});

describe('output.long-text-processing.font-path', () => {
  const text = '中文字图片长回复，中文字图片长回复。';
  const squares = async (path: string) => {
    const warnings: unknown[] = [];
    const logger = { ...silentLogger, warn: (...warning: unknown[]) => void warnings.push(warning) };
    const change = await finish(plain(text), { strategy: 'image', 'font-path': path }, everything, logger);
    return { picture: picturesOf(change?.messages)[0], warnings: warnings.length };
  };

  it('names the font that the text is drawn with', async () => {
    const { picture, warnings } = await squares('squares.ttf');
    expect(warnings).toBe(0);
    expect((await looked(picture)).dark).toBeGreaterThan(50);
    // It is the same font under another path, and in another folder.
    expect((await squares('more/squares.ttf')).picture).toBe(picture);
    expect((await squares(join(data, 'fonts', 'squares.ttf'))).picture).toBe(picture);
  });

  it.each([
    ['leads out of the folder', '../outside.ttf'],
    ['leads out of the folder by a link', 'link.ttf'],
    ['leads elsewhere', '/etc/passwd'],
    ['is the folder', '.'],
    ['names nothing', 'missing.ttf'],
    ['names no font', 'broken.ttf'],
    ['cannot be a path', 'a\0b'],
  ])('another font is used where it %s: %j', async (_, path) => {
    const given = await squares('squares.ttf');
    const other = await squares(path);
    expect(other.warnings).toBe(1);
    expect(other.picture).not.toBe(given.picture);
  });

  it('may be empty', async () => {
    expect((await squares('')).warnings).toBe(0);
  });
});
