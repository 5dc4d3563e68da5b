import type { MessageChain } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { renderChain } from './render.ts';

const render = (...chain: MessageChain) => renderChain(chain, true);

describe('a chain', () => {
  it('is shown as one text, with mentions where they stand', async () => {
    const { parts } = await render(
      { type: 'Source', id: 1, timestamp: 1 },
      { type: 'Plain', text: 'Hi **all**, ' },
      { type: 'At', target: 'carol' },
      { type: 'Plain', text: ' and ' },
      { type: 'At', target: 1004, display: 'Dora' },
      { type: 'At', target: '@erin', display: 'E' },
      { type: 'Unknown', text: '?' },
    );
    expect(parts).toEqual([
      {
        text: 'Hi all, @carol and Dora@erin?',
        entities: [
          { type: 'bold', offset: 3, length: 3 },
          { type: 'text_mention', offset: 19, length: 4, user: { id: 1004, is_bot: false, first_name: 'Dora' } },
        ],
      },
    ]);
  });

  it('is shown as it is when its text is no Markdown', async () => {
    expect((await renderChain([{ type: 'Plain', text: '**a**' }], false)).parts).toEqual([
      { text: '**a**', entities: [] },
    ]);
  });

  it('is several messages where files stand between texts', async () => {
    const { parts } = await render(
      { type: 'Plain', text: 'one\n' },
      { type: 'Image', url: 'https://x.org/p.png' },
      { type: 'Voice', path: 'stored', length: 2.6 },
      { type: 'Plain', text: ' two' },
      { type: 'File', base64: 'aGk=', name: 'hi.txt' },
      { type: 'Image', image_id: 'known', url: '' },
    );
    expect(parts).toEqual([
      { text: 'one', entities: [] },
      { kind: 'photo', url: 'https://x.org/p.png' },
      { kind: 'voice', path: 'stored', duration: 3 },
      { text: ' two', entities: [] },
      { kind: 'document', base64: 'aGk=', name: 'hi.txt' },
      { kind: 'photo', fileId: 'known' },
    ]);
  });

  it('prefers local content to URLs', async () => {
    const everything = { image_id: 'id', url: 'https://x.org', path: 'stored', base64: 'aGk=' };
    expect((await render({ type: 'Image', ...everything })).parts).toEqual([{ kind: 'photo', base64: 'aGk=' }]);
    expect((await render({ type: 'Image', ...everything, base64: null })).parts).toEqual([
      { kind: 'photo', path: 'stored' },
    ]);
  });

  it('answers the message of its first quotation that has a number', async () => {
    const origin: MessageChain = [{ type: 'Plain', text: 'not shown' }];
    expect(
      await render(
        { type: 'Quote', id: 'x', origin },
        { type: 'Quote', id: '-1001/42', origin },
        { type: 'Plain', text: 'a' },
      ),
    ).toEqual({
      replyTo: 42,
      parts: [{ text: 'a', entities: [] }],
    });
    for (const id of [undefined, null, -1, 0, 1.5, 'abc', '']) {
      expect(
        (await render({ type: 'Quote', ...(id === undefined ? {} : { id }), origin } as never)).replyTo,
      ).toBeNull();
    }
  });

  it('shows forwarded messages as text', async () => {
    const inner = { type: 'Forward', display: { title: 'Inner' }, node_list: [{ sender_id: 7, message_chain: [] }] };
    const { parts } = await render({
      type: 'Forward',
      display: { title: 'Talk' },
      node_list: [
        { sender_name: 'Ada', message_chain: [{ type: 'Plain', text: '*Hi*' } as never] },
        { sender_name: 'Bob', message_chain: [inner as never] },
        {},
      ],
    });
    expect(parts).toEqual([{ text: 'Talk\nAda: *Hi*\nBob: \n  Inner\n  7: \n\n?:', entities: [] }]);
  });

  it('contains nothing that Telegram would reject', async () => {
    expect((await render({ type: 'Plain', text: 'a\0b\ud83e' })).parts).toEqual([
      { text: 'a\ufffdb\ufffd', entities: [] },
    ]);
    expect((await render({ type: 'Plain', text: ' \n' }, { type: 'Source', id: 1, timestamp: 1 })).parts).toEqual([]);
  });
});
