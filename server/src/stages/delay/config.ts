import { group, whole } from '@parley/sdk/fields';
import Type from 'typebox';

/** Longest wait before an answer, seconds. */
const maximumDelay = 86_400;

/** The group `output.force-delay` of a pipeline. */
export const delayConfig = Type.Object({
  output: Type.Object({
    'force-delay': group(
      ['Send delay', '延迟发送', '送信の遅延'],
      [
        'Waits for a random time between the two values before sending an answer, in either order.',
        '发送每条回复之前随机等待一段时间，时长介于两者之间，不分先后。',
        '各回答を送信する前に、2つの値の間でランダムな時間だけ待ちます。どちらの値が大きくてもかまいません。',
      ],
      {
        min: whole(0, [0, maximumDelay], ['Minimum', '最短', '最短'], ['Seconds.', '单位为秒。', '単位は秒です。'], {
          'x-advanced': true,
        }),
        max: whole(0, [0, maximumDelay], ['Maximum', '最长', '最長'], ['Seconds.', '单位为秒。', '単位は秒です。'], {
          'x-advanced': true,
        }),
      },
      { 'x-before': 'misc' },
    ),
  }),
});
