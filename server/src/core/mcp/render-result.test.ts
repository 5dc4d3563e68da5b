import { describe, expect, it } from 'vitest';
import { renderResult } from './render-result.ts';

const png = 'iVBORw0KGgo=';
const of = (...content: unknown[]) => renderResult({ content });

describe('the result for a model', () => {
  it('is the texts, or structured content if there is none', () => {
    expect(of({ type: 'text', text: 'a' }, { type: 'text', text: 'b' }).text).toBe('a\nb');
    const structuredContent = { temperature: 5 };
    expect(renderResult({ content: [{ type: 'text', text: 'cold' }], structuredContent }).text).toBe('cold');
    expect(renderResult({ content: [], structuredContent }).text).toBe('{"temperature":5}');
    expect(renderResult({ structuredContent }).text).toBe('{"temperature":5}');
    expect(renderResult({ content: [] })).toEqual({ text: '', attachments: [] });
  });

  it.each<[string, object, string | RegExp, object[]]>([
    [
      'a picture',
      { type: 'image', data: png, mimeType: 'image/png' },
      /^\[An image \(image\/png\) is attached/,
      [{ type: 'Image', base64: `data:image/png;base64,${png}` }],
    ],
    [
      'a picture with parameters',
      { type: 'image', data: png, mimeType: 'IMAGE/PNG; q=1' },
      /attached/,
      [{ type: 'Image', base64: `data:image/png;base64,${png}` }],
    ],
    [
      'a recording',
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      /^\[A recording \(audio\/wav\)/,
      [{ type: 'Voice', base64: 'data:audio/wav;base64,AAAA' }],
    ],
    ['a drawing with scripts', { type: 'image', data: 'AAAA', mimeType: 'image/svg+xml' }, /3 bytes of image\/svg/, []],
    ['a picture that is none', { type: 'image', data: 'no, really', mimeType: 'image/png' }, /cannot be read/, []],
    ['a picture without data', { type: 'image', mimeType: 'image/png' }, /cannot be read/, []],
    ['a picture of no kind', { type: 'image', data: 'AAAA' }, /an unknown kind/, []],
    [
      'a text resource',
      { type: 'resource', resource: { uri: 'a://b', text: 'inside' } },
      '[Resource a://b]\ninside',
      [],
    ],
    [
      'a picture resource',
      { type: 'resource', resource: { uri: 'a://b', blob: png, mimeType: 'image/png' } },
      /a:\/\/b \(image/,
      [{ type: 'Image', base64: `data:image/png;base64,${png}` }],
    ],
    [
      'another resource',
      { type: 'resource', resource: { uri: 'a://b', blob: 'AAAA', mimeType: 'application/zip' } },
      /a:\/\/b, 3 bytes of application\/zip/,
      [],
    ],
    ['an empty resource', { type: 'resource', resource: { uri: 'a://b' } }, /no readable content/, []],
    ['no resource', { type: 'resource' }, /cannot be read/, []],
    [
      'a link',
      { type: 'resource_link', uri: 'a://b', name: 'n', description: 'd' },
      '[The tool answered a link to the resource a://b (n: d)]',
      [],
    ],
    ['a bare link', { type: 'resource_link', uri: 'a://b' }, '[The tool answered a link to the resource a://b]', []],
    ['an unknown type', { type: 'hologram' }, /"hologram"/, []],
    ['a text that is none', { type: 'text', text: 7 }, '', []],
  ])('knows %s', (_, part, text, attachments) => {
    const rendered = of(part);
    expect(rendered.text).toEqual(typeof text === 'string' ? text : expect.stringMatching(text));
    expect(rendered.attachments).toEqual(attachments);
  });

  it.each([null, 'x', 7, [], {}, { content: 'x' }, { content: {} }])('is a failure when the result is %j', (result) => {
    expect(() => renderResult(result)).toThrow(/cannot be read/);
  });

  it('knows parts that are none', () => {
    expect(of(null, 'x', []).text.match(/cannot be read/g)).toHaveLength(3);
  });

  it.each([
    [[{ type: 'text', text: 'no such city' }], 'no such city'],
    [[], 'the tool failed'],
    [undefined, 'the tool failed'],
  ])('is a failure when the server says so: %j', (content, message) => {
    const result = content === undefined ? { structuredContent: null, isError: true } : { content, isError: true };
    expect(() => renderResult(result)).toThrow(message);
  });

  it('takes a large picture in little time', () => {
    const data = 'A'.repeat(12_000_000);
    expect(of({ type: 'image', data, mimeType: 'image/png' }).attachments).toHaveLength(1);
  });
});
