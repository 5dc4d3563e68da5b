import { flag, group } from '@parley/sdk/fields';

/** The group `trigger.misc` of a pipeline: whether quotes are read, which matters to all stages that look at texts. */
export const quoteSettings = group(['Other', '其他', 'その他'], null, {
  'combine-quote-message': flag(
    true,
    ['Include quoted messages', '合并引用内容', '引用を読み取る'],
    [
      'Treats the quoted message as part of the message.',
      '把消息所引用的内容作为消息的一部分。',
      'メッセージが引用している内容も、メッセージの一部として読み取ります。',
    ],
  ),
});
