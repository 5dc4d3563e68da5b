import { address, choice, group, optional, secret, text } from '@parley/sdk/fields';
import type { Static } from 'typebox';
import { requireFields } from '../../kit/services/required-fields.ts';

/** Settings of the runner: the group `ai.dashscope-app-api` of a pipeline. */
export const dashscopeConfig = group(
  ['Alibaba Cloud Model Studio', '阿里云百炼', 'Alibaba Cloud Model Studio'],
  [
    'Answers with an Alibaba Cloud Model Studio application.',
    '使用阿里云百炼应用回复。',
    'Alibaba Cloud Model Studioのアプリケーションで回答します。',
  ],
  {
    'app-type': choice(
      { agent: ['Agent', '智能体', 'エージェント'], workflow: ['Workflow', '工作流', 'ワークフロー'] },
      'agent',
      ['Application type', '应用类型', 'アプリケーションの種類'],
      null,
    ),
    'api-key': secret('your-api-key', ['API key', 'API 密钥', 'APIキー'], null),
    'app-id': text(
      'your-app-id',
      ['Application', '应用 ID', 'アプリケーション'],
      ['Application ID.', '百炼中应用的编号。', 'アプリケーションのIDです。'],
    ),
    references_quote: text(
      '参考资料来自:',
      ['Source prefix', '引用说明', '出典の前の言葉'],
      [
        'Text before the list of source documents.',
        '写在回复所依据的资料名称之前。',
        '回答の根拠とした文書の前に付ける言葉です。',
      ],
      { ...optional, 'x-alias': { name: 'references-quote', wins: false } },
    ),
    'base-url': address(
      'https://dashscope.aliyuncs.com/api/v1',
      ['Address', '地址', 'アドレス'],
      [
        'Base URL of the API, including the version. Chinese and international accounts use different URLs.',
        'API 地址，包含版本部分。中国站与国际站账号的地址不同。',
        'バージョンまでを含むAPIのアドレスです。中国版と国際版のアカウントではアドレスが異なります。',
      ],
      {
        'https://dashscope.aliyuncs.com/api/v1': ['China', '中国站', '中国版'],
        'https://dashscope-intl.aliyuncs.com/api/v1': ['International', '国际站', '国際版'],
      },
      optional,
    ),
  },
);
export type DashscopeConfig = Static<typeof dashscopeConfig>;

/** The settings as the runner uses them. */
export interface DashscopeSettings {
  kind: 'agent' | 'workflow';
  apiKey: string;
  appId: string;
  address: string;
  /** Text before the names of the documents that an answer is based on. */
  quoteWords: string;
}

/** @throws ParleyError `provider_unauthorized` or `invalid_request` when required settings are missing */
export function readDashscopeSettings(config: DashscopeConfig): DashscopeSettings {
  const { 'api-key': apiKey, 'app-id': appId, 'base-url': address } = config;
  requireFields('Alibaba Cloud Model Studio', { 'api-key': apiKey, 'app-id': appId, 'base-url': address });
  return {
    kind: config['app-type'],
    apiKey: apiKey.trim(),
    appId: appId.trim(),
    address,
    quoteWords: config.references_quote,
  };
}
