import { describe, expect, it } from 'vitest';
import { withoutTables } from './markdown.ts';
import { parseMessage } from './parse.ts';
import { split } from './render.ts';
import { parseTarget } from './target.ts';

const reader = { accountId: 'dingrobot', robotName: 'Parley', mayCall: () => true };
const message = {
  msgId: 'msg1',
  conversationType: '2',
  conversationId: 'cid1',
  conversationTitle: 'Team',
  senderId: '$:LWCP_v1:$ada',
  senderStaffId: 'ada',
  senderNick: 'Ada',
  chatbotUserId: '$:LWCP_v1:$robot',
  isInAtList: true,
  atUsers: [{ dingtalkId: '$:LWCP_v1:$robot' }, { dingtalkId: '$:LWCP_v1:$bob', staffId: 'bob' }],
  createAt: 1_700_000_000_000,
  msgtype: 'text',
  text: { content: ' @Parley what is this? ' },
};
const chainOf = (over: object) => parseMessage({ ...message, ...over }, reader)?.event.message_chain.slice(1);
const mentions = [
  { type: 'At', target: 'dingrobot' },
  { type: 'At', target: 'bob' },
];

describe('messages', () => {
  it('are read with names, mentions and time', () => {
    expect(parseMessage(message, reader)?.event).toMatchObject({
      session_type: 'group',
      session_id: 'cid1',
      sender_id: 'ada',
      sender_name: 'Ada',
      facts: { group_name: 'Team', bot_mentions: [] },
      sent_at: '2023-11-14T22:13:20.000Z',
    });
    expect(chainOf({})).toEqual([...mentions, { type: 'Plain', text: 'what is this?' }]);
    expect(chainOf({ text: { content: '@Parleys' } })?.at(-1)).toEqual({ type: 'Plain', text: '@Parleys' });
  });

  it('hold voice with what was recognized, and videos as files', () => {
    const content = { downloadCode: 'code', duration: 2500, recognition: '你好' };
    const { event } = parseMessage({ ...message, msgtype: 'audio', content }, reader) ?? {};
    expect(event?.message_chain.slice(3)).toEqual([
      { type: 'Voice', voice_id: '1', length: 2.5 },
      { type: 'Plain', text: '你好' },
    ]);
    expect(event?.media).toEqual([{ id: '1', name: 'voice.amr', value: { code: 'code' } }]);
    const video = { downloadCode: 'code', videoType: 'mov', duration: 3 };
    expect(chainOf({ msgtype: 'video', content: video })?.at(-1)).toEqual({ type: 'File', id: '1', name: 'video.mov' });
  });

  it.each([
    [{ msgId: 7 }],
    [{ senderId: null, senderStaffId: [] }],
    [{ conversationId: {} }],
    [{ text: { content: '  ' } }],
    [{ text: 'Hello' }],
    [{ senderId: '$:LWCP_v1:$robot' }],
  ])('are ignored with %j', (over) => {
    expect(chainOf(over)).toBeUndefined();
  });

  it.each([
    [{ msgType: 'text', content: { content: 'Earlier' } }, [{ type: 'Plain', text: 'Earlier' }]],
    [{ msgType: 'markdown', content: { text: 'Earlier' } }, [{ type: 'Plain', text: 'Earlier' }]],
    [
      { msgType: 'richText', content: { richText: [{ msgType: 'text', content: 'Look ' }, { msgType: 'picture' }] } },
      [{ type: 'Plain', text: 'Look [Image]' }],
    ],
    [{ msgType: 'file', content: { fileName: 'list.txt' } }, [{ type: 'Unknown', text: '[File] list.txt' }]],
    [
      {
        msgType: 'interactiveCard',
        content: { cardContent: { elementType: 'BOX', children: [{ elementType: 'TEXT', value: 'An answer' }] } },
      },
      [{ type: 'Plain', text: 'An answer' }],
    ],
    [{ msgType: 'interactiveCard' }, []],
  ])('quote %j', (replied, origin) => {
    const repliedMsg = { msgId: 'msg0', senderId: '$:LWCP_v1:$robot', ...replied };
    const { event } = parseMessage({ ...message, text: { content: 'Why?', repliedMsg } }, reader) ?? {};
    expect(event?.message_chain[1]).toEqual({ type: 'Quote', id: 'msg0', sender_id: '$:LWCP_v1:$robot', origin });
    expect(event?.facts?.bot_mentions).toEqual(['reply']);
  });
});

it('takes a quote to which nothing was added', () => {
  const text = { content: ' ', repliedMsg: { msgId: 'msg0', msgType: 'text', content: { content: 'Earlier' } } };
  expect(chainOf({ text })?.[0]).toMatchObject({ type: 'Quote', id: 'msg0' });
});

describe('Markdown', () => {
  it('has lists in the place of tables', async () => {
    const table = 'Prices:\n\n| Item | **Price** |\n|---|--:|\n| Apple `a|b` | 3 |\n| Pear | |\n\nThat is all.';
    expect(await withoutTables(table)).toBe(
      'Prices:\n\n- **Item** · **Price**\n- Apple `a · b`\n- Pear\n\nThat is all.',
    );
  });

  it.each(['```\n| a | b |\n|---|---|\n```', 'a | b\nc | d', '1 - 2 | 3\n\n---'])('stays %j', async (text) => {
    expect(await withoutTables(text)).toBe(text);
  });

  it('is split by bytes, between files', () => {
    const parts = split([
      { type: 'Plain', text: '语'.repeat(6000) },
      { type: 'Image', base64: 'AA==' },
    ]);
    expect(parts.map(([first]) => first?.type)).toEqual(['Plain', 'Plain', 'Image']);
  });
});

it('reads targets', () => {
  expect(parseTarget('person', 'manager4220')).toEqual({ session_id: 'manager4220', thread_id: '' });
  expect(() => parseTarget('group', 'not an id')).toThrow('conversation ID');
});
