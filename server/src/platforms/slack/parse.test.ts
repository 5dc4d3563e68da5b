import type { MessageElement } from '@parley/sdk';
import { fakePlatformContext } from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import { Inbox } from './inbox.ts';
import { mrkdwn } from './mrkdwn.ts';
import { parseEvent } from './parse-event.ts';
import { parseText } from './parse-text.ts';
import { renderChain } from './render.ts';

const account = { user_id: 'U0BOT', bot_id: 'B0BOT', team_id: 'T0' };
const message = {
  type: 'message',
  channel_type: 'channel',
  channel: 'C1',
  user: 'U1',
  text: 'Hello',
  ts: '1700000000.000100',
  client_msg_id: 'a-1',
};

describe('a text of Slack', () => {
  it.each<[string, MessageElement[]]>([
    ['a &amp;lt; b', [{ type: 'Plain', text: 'a &lt; b' }]],
    [
      '<@U1|ada> hi',
      [
        { type: 'At', target: 'U1', display: 'ada' },
        { type: 'Plain', text: ' hi' },
      ],
    ],
    ['<!here>', [{ type: 'AtAll' }]],
    ['<!subteam^S1|@devs> <#C1|talk> <#C2>', [{ type: 'Plain', text: '@devs #talk #C2' }]],
    ['<https://a.b?c&amp;d|text> <https://e.f>', [{ type: 'Plain', text: 'text (https://a.b?c&d) https://e.f' }]],
    ['<mailto:a@b.c|a@b.c>', [{ type: 'Plain', text: 'a@b.c' }]],
    ['1 < 2', [{ type: 'Plain', text: '1 < 2' }]],
  ])('%s', (text, elements) => {
    expect(parseText(text)).toEqual(elements);
  });
});

describe('an event of Slack', () => {
  it('in a thread, and in the message that starts one', () => {
    const idOf = (thread_ts: string) => {
      const parsed = parseEvent({ ...message, thread_ts, parent_user_id: 'U0BOT' }, account);
      return parsed?.type === 'message' ? [parsed.event.thread_id, parsed.event.facts] : null;
    };
    expect(idOf('1600000000.000100')).toEqual(['1600000000.000100', { bot_mentions: ['reply'] }]);
    expect(idOf(message.ts)?.[0]).toBe('');
  });

  it.each([
    { bot_id: 'B0OTHER', team_id: 'T0' },
    { user: 'U0BOT' },
    { subtype: 'channel_join' },
    { subtype: 'message_changed', message: { ...message }, previous_message: { text: 'Hello' } },
    { user: 7 },
    { ts: '../../x' },
    { channel: 'C1/../x' },
    { text: '' },
    { type: 'reaction_added' },
  ])('is ignored: %j', (over) => {
    expect(parseEvent({ ...message, ...over }, account)).toBeNull();
  });

  it('of one action of a user is one message, also with another timestamp', async () => {
    const context = fakePlatformContext();
    const inbox = new Inbox(context, account);
    await inbox.take(message);
    await inbox.take({ ...message, ts: '1700000001.000200' });
    await inbox.take({ ...message, ts: '1700000002.000300', client_msg_id: 'a-2' });
    expect(context.received.map(({ platform_message_id }) => platform_message_id)).toEqual([
      'C1/1700000000.000100',
      'C1/1700000002.000300',
    ]);
  });
});

describe('Markdown as the format of Slack', () => {
  it.each([
    ['**bold** and *italic* and ~~gone~~', '*bold* and _italic_ and ~gone~'],
    ['# Title', '*Title*'],
    ['- one\n- two', '• one\n• two'],
    ['[text](https://example.com/a)', '<https://example.com/a|text>'],
    ['[text](javascript:x)', '[text](javascript:x)'],
    ['<!everyone> <@U1> a & b', '&lt;!everyone&gt; &lt;@U1&gt; a &amp; b'],
    ['```ts\na **b** < c\n```', '```\na **b** &lt; c\n```'],
    ['`**a**` 2 * 3 * 4', '`**a**` 2 * 3 * 4'],
  ])('%j', (markdown, expected) => {
    expect(mrkdwn(markdown)).toBe(expected);
  });

  it('is never longer than an edit may be, also where entities take more', () => {
    const parts = renderChain([{ type: 'Plain', text: '& 你好 '.repeat(1500) }]);
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) expect(Buffer.byteLength('text' in part ? part.text : '')).toBeLessThanOrEqual(4000);
  });
});
