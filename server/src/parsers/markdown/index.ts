import type { ModuleParser } from '@parley/sdk';

export const markdown: ModuleParser = {
  plugin_id: 'parley/markdown',
  name: { en_US: 'Markdown', zh_Hans: 'Markdown', ja_JP: 'Markdown' },
  description: {
    en_US: 'Markdown as GitHub writes it: headings, lists, tables, code, and HTML in between.',
    zh_Hans: 'GitHub 风格的 Markdown：标题、列表、表格、代码以及其中的 HTML。',
    ja_JP: 'GitHub形式のMarkdownの見出し、リスト、表、コードと、途中に含まれるHTMLを読み取ります。',
  },
  media_types: ['text/markdown', 'text/x-markdown'],
  extensions: ['md', 'markdown', 'mdown', 'mkd', 'mdx'],
  module: new URL('./parse.ts', import.meta.url).href,
};
