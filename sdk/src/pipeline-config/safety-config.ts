import { choice, flag, group, whole } from './config-fields.ts';

/** The tab for content filters and rate limits. */
export const safetyConfig = group(
  ['Safety', '安全控制', '安全対策'],
  ['Limits the content and frequency of messages.', '限制消息的内容和频率。', 'メッセージの内容と頻度を制限します。'],
  {
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
    'rate-limit': group(
      ['Rate limit', '频率限制', '頻度の制限'],
      [
        'Limits the number of messages per conversation.',
        '每个会话可以发送的消息数量。',
        '1つの会話で送信できるメッセージの数を制限します。',
      ],
      {
        'window-length': whole(
          60,
          [1, 86_400],
          ['Time window', '时间窗口', '時間枠'],
          ['Seconds.', '单位为秒。', '単位は秒です。'],
        ),
        limitation: whole(
          60,
          [1, 1_000_000],
          ['Messages per window', '每个窗口的消息数', '時間枠あたりのメッセージ数'],
          null,
        ),
        strategy: choice(
          { drop: ['Reject', '拒绝', '拒否'], wait: ['Queue', '等待', '待機'] },
          'drop',
          ['When exceeded', '超出时', '上限を超えたメッセージ'],
          null,
        ),
      },
    ),
  },
);
