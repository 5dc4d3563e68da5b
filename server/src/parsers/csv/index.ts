import type { ModuleParser } from '@parley/sdk';

export const csv: ModuleParser = {
  plugin_id: 'parley/csv',
  name: { en_US: 'Tables as text', zh_Hans: '文本表格', ja_JP: 'テキスト形式の表' },
  description: {
    en_US: 'CSV and TSV of any encoding and with any common delimiter, as tables.',
    zh_Hans: '任意编码、任意常用分隔符的 CSV 和 TSV，按表格读取。',
    ja_JP: 'あらゆる文字コードと一般的な区切り文字のCSVとTSVを、表として読み取ります。',
  },
  media_types: ['text/csv', 'text/tab-separated-values', 'application/csv'],
  extensions: ['csv', 'tsv', 'tab'],
  module: new URL('./parse.ts', import.meta.url).href,
};
