import { choice, flag, group } from '@parley/sdk/fields';
import Type from 'typebox';
import { quoteSettings } from '../../kit/quote-settings.ts';

/** The group `safety.content-filter` of a pipeline, and whether quotes are read. */
export const contentFilterConfig = Type.Object({
  safety: Type.Object({
    'content-filter': group(
      ['Content filter', '内容过滤', '語句の制限'],
      ['Blocks or masks sensitive words.', '拦截不允许出现的词语。', '使用できない語句を制限します。'],
      {
        scope: choice(
          {
            all: ['Incoming and outgoing messages', '收到的和发出的消息', '質問と回答'],
            'income-msg': ['Incoming messages', '仅收到的消息', '質問'],
            'output-msg': ['Outgoing messages', '仅发出的消息', '回答'],
          },
          'all',
          ['Scope', '检查范围', 'チェックの対象'],
          [
            'Messages that contain a sensitive word are not answered; in answers, the words are masked.',
            '收到的消息含敏感词时不予回复；发出的消息中的敏感词会被遮盖。',
            '禁止語を含む質問には答えず、回答に含まれる禁止語は伏せ字にします。',
          ],
        ),
        'check-sensitive-words': flag(
          true,
          ['Check sensitive words', '检查敏感词', '禁止語のチェック'],
          [
            'Uses the sensitive word list of this installation.',
            '使用本系统的敏感词表。',
            'このシステムの禁止語リストを使います。',
          ],
        ),
      },
    ),
  }),
  trigger: Type.Object({ misc: quoteSettings }),
});
