import type { ModuleParser } from '@parley/sdk';

export const pdf: ModuleParser = {
  plugin_id: 'parley/pdf',
  name: { en_US: 'PDF', zh_Hans: 'PDF', ja_JP: 'PDF' },
  description: {
    en_US: 'The text of each page in reading order, with headings and tables; pages without text are reported.',
    zh_Hans: '按阅读顺序读取每一页的文字、标题和表格；没有文字的页面会被指出。',
    ja_JP: '各ページのテキストを、見出しや表とともに読む順番で読み取ります。テキストのないページは報告されます。',
  },
  media_types: ['application/pdf'],
  extensions: ['pdf'],
  module: new URL('./parse.ts', import.meta.url).href,
  page_module: new URL('./pages.ts', import.meta.url).href,
};
