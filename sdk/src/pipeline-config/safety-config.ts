import { choice, flag, group, whole } from './config-fields.ts';

/** The tab that says what may be said, and how often. */
export const safetyConfig = group(
  ['Safety', '安全控制'],
  ['What may be said, and how often.', '限制消息的内容和频率。'],
  {
    'content-filter': group(['Words', '内容过滤'], ['Words that may not pass.', '拦截不允许出现的词语。'], {
      scope: choice(
        {
          all: ['Questions and answers', '收到的和发出的消息'],
          'income-msg': ['Questions', '仅收到的消息'],
          'output-msg': ['Answers', '仅发出的消息'],
        },
        'all',
        ['What is checked', '检查范围'],
        [
          'A question with such a word is not answered; in answers the words are masked.',
          '收到的消息含敏感词时不予回复；发出的消息中的敏感词会被遮盖。',
        ],
      ),
      'check-sensitive-words': flag(
        true,
        ['Look for sensitive words', '检查敏感词'],
        ['Uses the list of sensitive words of this installation.', '使用本系统的敏感词表。'],
      ),
    }),
    'rate-limit': group(
      ['Frequency', '频率限制'],
      ['How many messages a conversation may send.', '每个会话可以发送的消息数量。'],
      {
        'window-length': whole(60, [1, 86_400], ['Time window', '时间窗口'], ['Seconds.', '单位为秒。']),
        limitation: whole(60, [1, 1_000_000], ['Messages per window', '每个窗口的消息数'], null),
        strategy: choice(
          { drop: ['Refuse them', '拒绝'], wait: ['Let them wait', '等待'] },
          'drop',
          ['Messages above that', '超出时'],
          null,
        ),
      },
    ),
  },
);
