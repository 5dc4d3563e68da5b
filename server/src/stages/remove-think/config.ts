import { flag } from '@parley/sdk/fields';
import Type from 'typebox';

/** One of the settings `output.misc` of a pipeline. */
export const removeThinkConfig = Type.Object({
  output: Type.Object({
    misc: Type.Object({
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
  }),
});
