import { choice, flag, group, optional, text, whole } from './config-fields.ts';

/** Longest wait before an answer, seconds. */
const maximumDelay = 86_400;

/** The tab for sending answers. */
export const outputConfig = group(
  ['Output', '输出处理', '出力'],
  ['How answers are sent.', '决定回复如何发送。', '回答の送り方を決めます。'],
  {
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
        'maximum-parts': whole(
          20,
          [3, 1000],
          ['Maximum messages per answer', '每条回复的消息数上限', '1つの回答あたりのメッセージ数'],
          [
            'Longer answers are truncated. The rest is sent as a file, or omitted if the platform does not support files.',
            '回复需要更多消息时会被截断：其余内容以文件发送；平台不支持文件时省略。',
            'これより多くのメッセージが必要な回答は途中で区切られます。残りはファイルとして送信し、ファイルに対応していないメッセンジャーでは省略します。',
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
          optional,
        ),
      },
    ),
    'force-delay': group(
      ['Send delay', '延迟发送', '送信の遅延'],
      [
        'Waits for a random time between the two values before sending an answer, in either order.',
        '发送每条回复之前随机等待一段时间，时长介于两者之间，不分先后。',
        '各回答を送信する前に、2つの値の間でランダムな時間だけ待ちます。どちらの値が大きくてもかまいません。',
      ],
      {
        min: whole(0, [0, maximumDelay], ['Minimum', '最短', '最短'], ['Seconds.', '单位为秒。', '単位は秒です。']),
        max: whole(0, [0, maximumDelay], ['Maximum', '最长', '最長'], ['Seconds.', '单位为秒。', '単位は秒です。']),
      },
    ),
    misc: group(['Other', '其他', 'その他'], null, {
      'exception-handling': choice(
        {
          'show-error': ['Error message', '显示错误信息', 'エラーの内容'],
          'show-hint': ['Custom text', '显示下方提示', '下のテキスト'],
          hide: ['No reply', '不回复', '何も送らない'],
        },
        'show-hint',
        ['When processing fails', '回复失败时', '回答に失敗したとき'],
        null,
      ),
      'failure-hint': text(
        'Request failed.',
        ['Failure text', '失败提示', '失敗時のテキスト'],
        [
          'Sent when processing fails, if “Custom text” is selected.',
          '选择显示提示时，回复失败后发送的内容。',
          '上で「下のテキスト」を選んだ場合に、回答に失敗すると送信します。',
        ],
        optional,
      ),
      'at-sender': flag(
        true,
        ['Mention the sender', '@ 发送者', '送信者へのメンション'],
        [
          'In groups, mentions the sender in the answer, if the platform supports it.',
          '在群聊中回复时 @ 提问的人（平台支持时）。',
          'グループでは、メンションに対応したメッセンジャーの場合、質問した人にメンションして回答します。',
        ],
      ),
      'quote-origin': flag(
        true,
        ['Quote the message', '引用原消息', '質問の引用'],
        [
          'Quotes the original message in the answer, if the platform supports it.',
          '回复时引用所回复的消息（平台支持时）。',
          '引用に対応したメッセンジャーでは、元のメッセージを引用して回答します。',
        ],
      ),
      'track-function-calls': flag(
        false,
        ['Show tool calls', '提示工具调用', 'ツール呼び出しの通知'],
        [
          'Sends a notice in the conversation when a tool is called.',
          '在对话中说明正在调用哪些工具。',
          'どのツールを呼び出したかを会話の中で知らせます。',
        ],
      ),
      'remove-think': flag(
        false,
        ['Remove reasoning', '去除思考内容', '思考の除去'],
        [
          'Removes the reasoning of the model from answers.',
          '不发送模型回答之前的思考内容。',
          'モデルが回答の前に考えた内容は送信しません。',
        ],
      ),
    }),
  },
);
