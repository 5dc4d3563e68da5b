import { whole } from '@parley/sdk/fields';
import Type, { type Static } from 'typebox';

/** The number of messages of an answer, beside the settings of long answers. */
export const splitConfig = Type.Object({
  output: Type.Object({
    'long-text-processing': Type.Object({
      'maximum-parts': whole(
        20,
        [3, 1000],
        ['Maximum messages per answer', '每条回复的消息数上限', '1つの回答あたりのメッセージ数'],
        [
          'Longer answers are truncated. The rest is sent as a file, or omitted if the platform does not support files.',
          '回复需要更多消息时会被截断：其余内容以文件发送；平台不支持文件时省略。',
          'これより多くのメッセージが必要な回答は途中で区切られます。残りはファイルとして送信し、ファイルに対応していないメッセンジャーでは省略します。',
        ],
        { 'x-before': 'font-path', 'x-advanced': true },
      ),
    }),
  }),
});
export type SplitConfig = Static<typeof splitConfig>;
