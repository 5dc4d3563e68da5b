import { choice, group, whole } from '@parley/sdk/fields';
import Type from 'typebox';

/** The group `safety.rate-limit` of a pipeline. */
export const rateLimitConfig = Type.Object({
  safety: Type.Object({
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
  }),
});
