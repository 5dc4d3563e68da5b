import type { ModuleParser } from '@parley/sdk';

export const email: ModuleParser = {
  plugin_id: 'parley/email',
  name: { en_US: 'E-mail', zh_Hans: '电子邮件', ja_JP: '電子メール' },
  description: {
    en_US: 'EML: subject, sender and recipients, date and text, and attached text or web pages.',
    zh_Hans: 'EML：读取主题、收发件人、日期和正文，以及文本或网页附件。',
    ja_JP: 'EMLの件名、差出人と宛先、日時、本文と、テキストまたはWebページの添付ファイルを読み取ります。',
  },
  media_types: ['message/rfc822'],
  extensions: ['eml'],
  module: new URL('./parse.ts', import.meta.url).href,
};
