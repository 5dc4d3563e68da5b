import type { ModuleParser } from '@parley/sdk';

export const pptx: ModuleParser = {
  plugin_id: 'parley/pptx',
  name: { en_US: 'PowerPoint presentations', zh_Hans: 'PowerPoint 演示文稿', ja_JP: 'PowerPointプレゼンテーション' },
  description: {
    en_US: 'PPTX: each slide with its title, its texts, lists, tables and diagrams, and speaker notes.',
    zh_Hans: 'PPTX：读取每张幻灯片的标题、文字、列表、表格、图示以及演讲者备注。',
    ja_JP: 'PPTXの各スライドのタイトル、テキスト、リスト、表、図と、発表者ノートを読み取ります。',
  },
  media_types: [
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    'application/vnd.openxmlformats-officedocument.presentationml.slideshow',
    'application/vnd.openxmlformats-officedocument.presentationml.template',
    'application/vnd.ms-powerpoint.presentation.macroenabled.12',
  ],
  extensions: ['pptx', 'ppsx', 'potx', 'pptm'],
  module: new URL('./parse.ts', import.meta.url).href,
};
