import type { ModuleParser } from '@parley/sdk';

export const epub: ModuleParser = {
  plugin_id: 'parley/epub',
  name: { en_US: 'EPUB books', zh_Hans: 'EPUB 电子书', ja_JP: 'EPUB電子書籍' },
  description: {
    en_US: 'EPUB: the chapters in the order in which they are read, with headings, lists, tables and code.',
    zh_Hans: 'EPUB：按阅读顺序读取各章，包括标题、列表、表格和代码。',
    ja_JP: 'EPUBの各章を読む順番で、見出し、リスト、表、コードとともに読み取ります。',
  },
  media_types: ['application/epub+zip'],
  extensions: ['epub'],
  module: new URL('./parse.ts', import.meta.url).href,
};
