import { flag } from '@parley/sdk/fields';
import Type from 'typebox';

/** Two of the settings `output.misc` of a pipeline. */
export const addressingConfig = Type.Object({
  output: Type.Object({
    misc: Type.Object({
      'at-sender': flag(
        true,
        ['Mention the sender', '@ 发送者', '送信者へのメンション'],
        [
          'In groups, mentions the sender in the answer, if the platform supports it.',
          '在群聊中回复时 @ 提问的人（平台支持时）。',
          'グループでは、メンションに対応したメッセンジャーの場合、質問した人にメンションして回答します。',
        ],
        { 'x-before': 'track-function-calls' },
      ),
      'quote-origin': flag(
        true,
        ['Quote the message', '引用原消息', '質問の引用'],
        [
          'Quotes the original message in the answer, if the platform supports it.',
          '回复时引用所回复的消息（平台支持时）。',
          '引用に対応したメッセンジャーでは、元のメッセージを引用して回答します。',
        ],
        { 'x-before': 'track-function-calls' },
      ),
    }),
  }),
});
