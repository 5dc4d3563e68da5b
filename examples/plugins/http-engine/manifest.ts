import { defineManifest } from '@parley/sdk/plugin';

export default defineManifest({
  id: 'example/http-engine',
  version: '1.0.0',
  sdk: '^0.1.0',
  label: { en_US: 'HTTP search', zh_Hans: 'HTTP 检索', ja_JP: 'HTTP 検索' },
  description: {
    en_US: 'A knowledge engine that stores and searches documents in a service of yours, over HTTP.',
    zh_Hans: '通过 HTTP 在您自己的服务中存储和检索文档的知识引擎。',
    ja_JP: 'お使いのサービスに HTTP で文書を保存・検索するナレッジエンジンです。',
  },
  main: 'main.ts',
  settings: {
    type: 'object',
    properties: {
      server: {
        type: 'string',
        default: '',
        'x-address': true,
        'x-label': { en_US: 'Address of the service', zh_Hans: '服务地址', ja_JP: 'サービスのアドレス' },
      },
      key: {
        type: 'string',
        default: '',
        'x-secret': true,
        'x-label': { en_US: 'Key', zh_Hans: '密钥', ja_JP: 'キー' },
      },
    },
  },
  contributes: {
    engines: [
      {
        label: { en_US: 'HTTP search', zh_Hans: 'HTTP 检索', ja_JP: 'HTTP 検索' },
        description: {
          en_US: 'Documents are in the service that the settings of the plugin name.',
          zh_Hans: '文档存储在插件设置所指的服务中。',
          ja_JP: '文書はプラグインの設定で指定したサービスに保存されます。',
        },
        capabilities: ['doc_ingestion'],
        creation_schema: { type: 'object', properties: {} },
        retrieval_schema: {
          type: 'object',
          properties: { top_k: { type: 'integer', default: 5, minimum: 1, maximum: 50 } },
        },
      },
    ],
  },
});
