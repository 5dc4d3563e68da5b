import type { ModuleParser } from '@parley/sdk';

export const docx: ModuleParser = {
  plugin_id: 'parley/docx',
  name: { en_US: 'Word documents', zh_Hans: 'Word 文档', ja_JP: 'Word文書' },
  description: {
    en_US: 'DOCX: headings, paragraphs, lists, tables, footnotes and text boxes; tracked changes as if accepted.',
    zh_Hans: 'DOCX：读取标题、段落、列表、表格、脚注和文本框；修订按已接受处理。',
    ja_JP: 'DOCXの見出し、段落、リスト、表、脚注、テキストボックスを読み取ります。変更履歴は承諾済みとして扱います。',
  },
  media_types: [
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.template',
    'application/vnd.ms-word.document.macroenabled.12',
    // The signature of all formats before 2007; the error tells the user what to do.
    'application/x-cfb',
  ],
  extensions: ['docx', 'dotx', 'docm'],
  module: new URL('./parse.ts', import.meta.url).href,
};
