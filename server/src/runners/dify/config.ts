import { address, choice, decimal, group, optional, secret, text } from '@parley/sdk/fields';
import type { Static } from 'typebox';
import { maximumTimeoutSeconds, silenceHelp } from '../../kit/services/timeout.ts';

/** Settings of the runner: the group `ai.dify-service-api` of a pipeline. */
export const difyConfig = group(
  ['Dify', 'Dify', 'Dify'],
  ['Answers with a Dify application.', '使用 Dify 应用回复。', 'Difyのアプリケーションで回答します。'],
  {
    'base-url': address(
      'https://api.dify.ai/v1',
      ['Address', '地址', 'アドレス'],
      [
        'Base URL of the API, including the version.',
        'API 地址，包含版本部分。',
        'バージョンまでを含むAPIのアドレスです。',
      ],
      { 'https://api.dify.ai/v1': ['Dify Cloud', 'Dify 云服务', 'Dify Cloud'] },
    ),
    'base-prompt': text(
      'Read the attached file. If it is an image, describe what it shows.',
      ['Prompt for files', '文件提示语', 'ファイル用のテキスト'],
      [
        'Used when a message has a file but no text.',
        '消息只有文件而没有文字时使用。',
        'メッセージにファイルだけがあり、本文がないときに質問として使います。',
      ],
    ),
    'app-type': choice(
      {
        chat: ['Chat', '聊天助手', 'チャット'],
        agent: ['Agent', '智能体', 'エージェント'],
        workflow: ['Workflow', '工作流', 'ワークフロー'],
      },
      'chat',
      ['Application type', '应用类型', 'アプリケーションの種類'],
      null,
    ),
    'api-key': secret('your-api-key', ['API key', 'API 密钥', 'APIキー'], null),
    timeout: decimal(30, [0, maximumTimeoutSeconds], ['Timeout', '超时时间', '制限時間'], silenceHelp, optional),
  },
);
export type DifyConfig = Static<typeof difyConfig>;
