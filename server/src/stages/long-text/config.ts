import { choice, group, optional, text, whole } from '@parley/sdk/fields';
import Type, { type Static } from 'typebox';

/** The group `output.long-text-processing` of a pipeline, without what the stage `split` needs. */
export const longTextConfig = Type.Object({
  output: Type.Object({
    'long-text-processing': group(
      ['Long answers', '长回复', '長い回答'],
      ['How long answers are sent.', '回复过长时的处理方式。', '長い回答の扱いを決めます。'],
      {
        threshold: whole(
          1000,
          [1, 1_000_000],
          ['Threshold', '长度阈值', '長さの基準'],
          [
            'Characters. Longer answers count as long.',
            '字符数；超过此数的回复视为长回复。',
            '文字数です。これを超える回答を長い回答とみなします。',
          ],
        ),
        strategy: choice(
          {
            forward: ['Forwarded message', '转为合并转发消息', '転送メッセージ'],
            image: ['Image', '转为图片', '画像'],
            none: ['No special handling', '不处理', 'そのまま'],
          },
          'none',
          ['Format', '处理方式', '送信方法'],
          [
            'Forwarded message and image apply to text-only answers, which are sent when complete. Formats that a platform does not support are sent as text, split into several messages if necessary.',
            '前两项仅用于纯文本回复，且在回复完成后才发送。平台不支持的形式以文本发送，超出单条长度时拆分为多条。',
            '転送メッセージと画像はテキストだけの回答に適用され、回答は完成してから表示されます。メッセンジャーで表示できない場合はテキストで送信し、1件に収まらなければ複数のメッセージに分けます。',
          ],
        ),

        'font-path': text(
          '',
          ['Font', '字体', 'フォント'],
          [
            'Path of the font for image answers, relative to the folder `fonts` in the data folder. Empty: a system font.',
            '以图片发送时所用字体文件的路径，位于数据目录的 fonts 文件夹内；留空则使用系统字体。',
            '回答を画像で送るときに使うフォントのパスです。データフォルダー内の `fonts` フォルダーを基準に指定します。空の場合はシステムのフォントを使います。',
          ],
          { ...optional, 'x-advanced': true },
        ),
      },
      { 'x-before': 'misc' },
    ),
  }),
});
export type LongTextConfig = Static<typeof longTextConfig>;
