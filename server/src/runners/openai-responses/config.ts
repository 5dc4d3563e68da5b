import { address, decimal, group, optional, secret, text } from '@parley/sdk/fields';
import type { Static } from 'typebox';
import { requireFields } from '../../kit/services/required-fields.ts';
import { maximumTimeoutSeconds, timeoutMs } from '../../kit/services/timeout.ts';

/** Settings of the runner: the group `ai.openai-responses` of a pipeline. */
export const responsesConfig = group(
  ['OpenAI Responses', 'OpenAI Responses', 'OpenAI Responses'],
  [
    'Answers with any service compatible with the OpenAI Responses API.',
    '使用任何兼容 OpenAI Responses 协议的服务回复。',
    'OpenAIのResponsesプロトコルに対応した任意のサービスで回答します。',
  ],
  {
    'base-url': address(
      'https://api.openai.com/v1',
      ['Address', '地址', 'アドレス'],
      [
        'Base URL of the API, including the version.',
        'API 地址，包含版本部分。',
        'バージョンまでを含むAPIのアドレスです。',
      ],
      { 'https://api.openai.com/v1': ['OpenAI', 'OpenAI', 'OpenAI'] },
    ),
    'api-key': secret(
      '',
      ['API key', 'API 密钥', 'APIキー'],
      [
        'Optional if the service requires no key.',
        '服务不要求密钥时可留空。',
        'サービスがキーを必要としない場合は空でかまいません。',
      ],
      optional,
    ),
    model: text(
      '',
      ['Model', '模型', 'モデル'],
      ['The model ID used by the service.', '服务中的模型名称。', 'サービス側でのモデルの名前です。'],
    ),
    instructions: text(
      '',
      ['Instructions', '指令', '指示'],
      [
        'Instructions sent to the model with each conversation.',
        '每段对话开始之前告诉模型的内容。',
        '各会話の前にモデルに伝える内容です。',
      ],
      optional,
    ),
    timeout: decimal(
      120,
      [0, maximumTimeoutSeconds],
      ['Timeout', '超时时间', '制限時間'],
      [
        'Maximum seconds without a response.',
        '服务最长可以不作响应的时间，单位为秒。',
        'サービスの応答を待つ秒数です。',
      ],
      { ...optional, 'x-form': 'number' },
    ),
  },
);
export type ResponsesConfig = Static<typeof responsesConfig>;

/** The settings as the runner uses them. */
export interface ResponsesSettings {
  address: string;
  /** Empty if the service requires none. */
  apiKey: string;
  model: string;
  /** Instructions for the model in each conversation. */
  instructions: string;
  /** Longest silence of the service, milliseconds. */
  silenceTimeoutMs: number;
}

/** @throws ParleyError `invalid_request` when required settings are missing */
export function readResponsesSettings(config: ResponsesConfig): ResponsesSettings {
  requireFields('OpenAI Responses', { 'base-url': config['base-url'], model: config.model });
  return {
    address: config['base-url'],
    apiKey: config['api-key'].trim(),
    model: config.model.trim(),
    instructions: config.instructions,
    silenceTimeoutMs: timeoutMs(config.timeout),
  };
}
