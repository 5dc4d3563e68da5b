import { defineManifest } from '@parley/sdk/plugin';

export default defineManifest({
  id: 'example/moderator',
  version: '1.0.0',
  sdk: '^0.1.0',
  label: { en_US: 'Moderator', zh_Hans: '审核', ja_JP: 'モデレーター' },
  description: {
    en_US: 'Ends messages with words of a list, masks these words in answers, and counts both. Its page has the list.',
    zh_Hans: '结束含有词表中词语的消息，在回答中遮盖这些词，并对两者计数。词表在其页面上。',
    ja_JP:
      '一覧の語を含むメッセージを終了し、回答ではその語を伏せ字にして、それぞれ数えます。一覧はページで編集します。',
  },
  main: 'main.ts',
  settings: {
    type: 'object',
    properties: {
      notice: {
        type: 'string',
        default: 'This message has a word that is not allowed here.',
        maxLength: 500,
        'x-label': { en_US: 'Answer to such a message', zh_Hans: '对此类消息的回答', ja_JP: '該当メッセージへの回答' },
        'x-help': {
          en_US: 'Leave it empty to answer nothing.',
          zh_Hans: '留空则不回答。',
          ja_JP: '空にすると回答しません。',
        },
        'x-optional': true,
      },
    },
  },
  contributes: {
    listeners: [{ point: 'received' }, { point: 'answer' }],
    pages: [
      { name: 'words', label: { en_US: 'Words', zh_Hans: '词表', ja_JP: '語の一覧' }, path: 'pages/words/index.html' },
    ],
  },
  permissions: { storage: true },
});
