import type { ModuleParser } from '@parley/sdk';
import { languages } from './languages.ts';

export const sourceCode: ModuleParser = {
  plugin_id: 'parley/source-code',
  name: { en_US: 'Source code', zh_Hans: '源代码', ja_JP: 'ソースコード' },
  description: {
    en_US: 'Programs, scripts, style sheets and configuration files, by their declarations.',
    zh_Hans: '程序、脚本、样式表和配置文件，按声明拆分。',
    ja_JP: 'プログラム、スクリプト、スタイルシート、設定ファイルを、宣言ごとに読み取ります。',
  },
  media_types: [
    'text/javascript',
    'application/javascript',
    'application/typescript',
    'application/sql',
    'application/toml',
    'application/xml',
    'application/x-httpd-php',
    'application/x-sh',
    'text/css',
    'text/xml',
    'text/x-c',
    'text/x-c++',
    'text/x-csharp',
    'text/x-go',
    'text/x-java-source',
    'text/x-kotlin',
    'text/x-python',
    'text/x-ruby',
    'text/x-rust',
    'text/x-shellscript',
    'text/x-sql',
    'text/x-swift',
    'text/x-typescript',
  ],
  extensions: Object.keys(languages),
  module: new URL('./parse.ts', import.meta.url).href,
};
