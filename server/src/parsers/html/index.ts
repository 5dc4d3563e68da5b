import type { ModuleParser } from '@parley/sdk';

export const html: ModuleParser = {
  plugin_id: 'parley/html',
  name: { en_US: 'Web pages', zh_Hans: '网页', ja_JP: 'Webページ' },
  description: {
    en_US: 'HTML: the readable text with its headings, lists, tables and code. Scripts do not run, nothing is fetched.',
    zh_Hans: 'HTML：读取正文及其标题、列表、表格和代码。不运行脚本，也不访问网络。',
    ja_JP:
      'HTMLの本文を、見出し、リスト、表、コードとともに読み取ります。スクリプトの実行や外部からの取得は行いません。',
  },
  media_types: ['text/html', 'application/xhtml+xml'],
  extensions: ['html', 'htm', 'xhtml'],
  module: new URL('./parse.ts', import.meta.url).href,
};
