import type { ModuleParser } from '@parley/sdk';

export const plainText: ModuleParser = {
  plugin_id: 'parley/plain-text',
  name: { en_US: 'Plain text', zh_Hans: '纯文本', ja_JP: 'プレーンテキスト' },
  description: {
    en_US: 'Text and logs of any encoding, by paragraphs; form feeds start pages.',
    zh_Hans: '任意编码的文本和日志，按段落读取；换页符表示新的一页。',
    ja_JP: 'あらゆる文字コードのテキストとログを、段落ごとに読み取ります。改ページ文字で新しいページになります。',
  },
  media_types: ['text/plain', 'text/*'],
  extensions: ['txt', 'text', 'log', 'rst', 'adoc', 'asciidoc', 'org', 'tex', 'srt', 'vtt', 'nfo'],
  module: new URL('./parse.ts', import.meta.url).href,
};
