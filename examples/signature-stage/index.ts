/** A stage: signs answers. In parley.yaml: `extensions: [./examples/signature-stage]`. */
import type { Extension, MessageChain, Stage } from '@parley/sdk';
import { group, text } from '@parley/sdk/fields';
import Type from 'typebox';

/** The settings lie in a tab (`output`) and a group (`signature`) of the pipeline. */
const config = Type.Object({
  output: Type.Object({
    signature: group(
      ['Signature', '签名', '署名'],
      ['Added below every answer.', '添加在每条回复之后。', 'すべての回答の後に付けます。'],
      { text: text('', ['Text', '文字', '文'], ['Empty: no signature.', '留空则不签名。', '空の場合は付けません。']) },
    ),
  }),
});

export const signature: Stage<typeof config> = {
  name: 'signature',
  label: { en_US: 'Signature', zh_Hans: '签名', ja_JP: '署名' },
  config,
  answer(_message, context) {
    const words = context.config.output.signature.text.trim();
    if (words === '') return null;
    const signed = (chain: MessageChain): MessageChain => [...chain, { type: 'Plain', text: `\n\n${words}` }];
    return {
      // While the answer is streamed, it is shown without the signature.
      show: (chain) => chain,
      finish: (messages) => ({
        messages: messages.map((chain, index) => (index === messages.length - 1 ? signed(chain) : chain)),
      }),
    };
  },
};

export default { sdk: '^0.1.0', stages: [signature] } satisfies Extension;
