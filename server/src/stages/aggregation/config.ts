import { decimal, flag, group } from '@parley/sdk/fields';
import Type from 'typebox';

/** The group `trigger.message-aggregation` of a pipeline. */
export const aggregationConfig = Type.Object({
  trigger: Type.Object({
    'message-aggregation': group(
      ['Message grouping', '消息合并', 'メッセージの結合'],
      [
        'Answers several messages sent in quick succession together.',
        '把短时间内接连发来的消息合在一起回复。',
        '短い間隔で続けて届いたメッセージに、まとめて答えます。',
      ],
      {
        enabled: flag(false, ['Group messages', '启用合并', 'メッセージを結合'], null),
        delay: decimal(
          1.5,
          [1, 10],
          ['Waiting time', '等待时间', '待ち時間'],
          [
            'Seconds without a new message before answering, from 1 to 10.',
            '多少秒内没有新消息才开始回复，从 1 到 10。',
            '次のメッセージが届かないことを確かめる秒数です。1から10で指定します。',
          ],
          { 'x-clamp': true },
        ),
      },
      { 'x-before': 'misc' },
    ),
  }),
});
