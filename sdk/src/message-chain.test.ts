import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParleyError } from './errors.ts';
import {
  type MessageChain,
  maximumChainDepth,
  maximumChainElements,
  messageElements,
  parseMessageChain,
} from './message-chain.ts';
import { textOfChain } from './message-text.ts';

const plain = (text: string) => ({ type: 'Plain', text });

function faultsOf(value: unknown, path?: string): { path: string; message: string }[] {
  try {
    parseMessageChain(value, path);
  } catch (error) {
    if (error instanceof ParleyError && error.reason === 'invalid_request') return error.details ?? [];
    throw error;
  }
  return [];
}

/** A quote in a quote in a quote …; the whole chain is `depth` chains deep. */
function nested(depth: number): unknown[] {
  return depth === 1 ? [plain('inside')] : [{ type: 'Quote', origin: nested(depth - 1) }];
}

describe('parseMessageChain', () => {
  it('returns every kind of element unchanged', () => {
    const chain = [
      { type: 'Source', id: 'a', timestamp: 1 },
      plain('text'),
      { type: 'Quote', id: 1, sender_id: null, origin: [plain('quoted')] },
      { type: 'At', target: 12345, display: 'Ada' },
      { type: 'AtAll' },
      { type: 'Image', url: 'https://example.com/a.png', base64: null },
      { type: 'Voice', base64: 'data:audio/wav;base64,AA==', length: 1.5 },
      { type: 'File', name: 'a.pdf', url: 'https://example.com/a.pdf', size: 1 },
      { type: 'Forward', display: { title: 'History' }, node_list: [{ sender_id: 1, message_chain: [plain('told')] }] },
      { type: 'Face', face_type: 'dice', face_id: 3 },
      { type: 'Unknown', text: null },
      { type: 'WeChatEmoji', emoji_md5: 'a', emoji_size: 1 },
    ];
    expect(parseMessageChain(chain)).toEqual(chain);
  });

  it.each<[string, unknown, string, string]>([
    ['no list', { type: 'Plain' }, 'message_chain', 'must be an array of message elements'],
    ['an empty list', [], 'message_chain', 'must hold at least one element'],
    ['a text as element', ['text'], 'message_chain[0]', 'must be an object with a type'],
    ['an unknown kind', [plain('a'), { type: 'Nothing' }], 'message_chain[1].type', 'must be one of Source'],
    ['a kind that objects have by nature', [{ type: 'constructor' }], 'message_chain[0].type', 'must be one of'],
    ['a missing field', [{ type: 'Plain' }], 'message_chain[0].text', 'is required'],
    ['a wrong field', [{ type: 'Plain', text: 1 }], 'message_chain[0].text', 'must be string'],
    ['an extra field', [{ ...plain('a'), more: 1 }], 'message_chain[0].more', 'is not a field of this element'],
    ['an image of nothing', [{ type: 'Image', url: '' }], 'message_chain[0]', 'needs at least one of image_id'],
    [
      'a fault in a quote',
      [{ type: 'Quote', origin: [plain('a'), { type: 'Plain' }] }],
      'message_chain[0].origin[1].text',
      'is required',
    ],
    [
      'a fault in a forwarded message',
      [{ type: 'Forward', node_list: [{}, { message_chain: [{ type: 'At' }] }] }],
      'message_chain[0].node_list[1].message_chain[0].target',
      'is required',
    ],
  ])('names the place of %s', (_, chain, path, message) => {
    expect(faultsOf(chain)[0]).toEqual({ path, message: expect.stringContaining(message) });
  });

  it('names places as the caller calls them', () => {
    expect(faultsOf(null, 'body.message')[0]?.path).toBe('body.message');
  });

  it('allows quotes in quotes up to a depth', () => {
    expect(faultsOf(nested(maximumChainDepth))).toEqual([]);
    expect(faultsOf(nested(maximumChainDepth + 1))[0]?.message).toContain('nested at most');
    expect(faultsOf(nested(5000))[0]?.message).toContain('nested at most');
  });

  it('counts elements of nested chains too', () => {
    const many = (count: number) => Array.from({ length: count }, () => plain('a'));
    expect(faultsOf(many(maximumChainElements))).toEqual([]);
    expect(faultsOf(many(maximumChainElements + 1))).toHaveLength(1);
    expect(faultsOf([{ type: 'Quote', origin: many(maximumChainElements) }])[0]?.message).toContain('at most');
  });

  it('tells twenty faults at most', () => {
    expect(faultsOf(Array.from({ length: 500 }, () => 1)).length).toBe(20);
  });

  it('throws only ParleyErrors with paths, for any input', () => {
    const type = fc.oneof(fc.constantFrom(...Object.keys(messageElements), '__proto__', 'toString'), fc.string());
    const field = fc.constantFrom('text', 'origin', 'node_list', 'target', 'url', 'id', 'display', '__proto__', 'size');
    const { chain } = fc.letrec((tie) => ({
      chain: fc.array(fc.oneof({ depthSize: 'medium' }, fc.jsonValue(), tie('element')), { maxLength: 5 }),
      element: fc
        .tuple(type, fc.dictionary(field, fc.oneof(fc.jsonValue(), tie('chain')), { maxKeys: 4 }))
        .map(([name, fields]) => ({ ...fields, type: name })),
    }));
    fc.assert(
      fc.property(fc.oneof(chain, fc.anything()), (value) => {
        const faults = faultsOf(value);
        for (const fault of faults) expect(fault.path).toMatch(/^message_chain/);
        if (faults.length === 0) expect(typeof textOfChain(value as MessageChain)).toBe('string');
      }),
      { numRuns: 1000 },
    );
  });
});

describe('textOfChain', () => {
  it.each<[MessageChain, string]>([
    [[], ''],
    [
      [
        { type: 'Source', id: 1, timestamp: 1 },
        { type: 'Plain', text: 'a' },
        { type: 'Plain', text: 'b' },
      ],
      'ab',
    ],
    [[{ type: 'At', target: 7 }], '@7'],
    [[{ type: 'At', target: 7, display: 'Ada' }], '@Ada'],
    [[{ type: 'At', target: 7, display: '' }], '@7'],
    [[{ type: 'AtAll' }], '@All'],
    [[{ type: 'Image', url: 'x' }], '[Image]'],
    [[{ type: 'Voice', url: 'x' }], '[Voice]'],
    [[{ type: 'File', url: 'x', name: 'a.pdf' }], '[File]a.pdf'],
    [[{ type: 'File', url: 'x', name: null }], '[File]'],
    [[{ type: 'Quote', origin: [{ type: 'AtAll' }] }], ''],
    [[{ type: 'Forward' }], '[Chat history]'],
    [[{ type: 'Forward', display: { brief: 'Three messages' } }], 'Three messages'],
    [[{ type: 'Face', face_name: 'smile' }], '[smile]'],
    [[{ type: 'Face' }], '[Face]'],
    [[{ type: 'Unknown' }], ''],
    [[{ type: 'Unknown', text: 'raw' }], 'raw'],
    [[{ type: 'WeChatEmoji', emoji_md5: 'a', emoji_size: 1 }], '[WeChatEmoji]'],
  ])('reads %j as %j', (chain, text) => {
    expect(textOfChain(chain)).toBe(text);
  });
});
