import { address, decimal, flag, group, optional, secret, text } from '@parley/sdk/fields';
import type { Static } from 'typebox';
import { requireFields } from '../../kit/services/required-fields.ts';
import { maximumTimeoutSeconds, timeoutMs } from '../../kit/services/timeout.ts';

/** Settings of the runner: the group `ai.coze-api` of a pipeline. */
export const cozeConfig = group(
  ['Coze', '扣子', 'Coze'],
  ['Answers with a Coze bot.', '使用扣子的智能体回复。', 'Cozeのボットで回答します。'],
  {
    'api-key': secret('', ['API key', 'API 密钥', 'APIキー'], null),
    'bot-id': text('', ['Bot', '智能体 ID', 'ボット'], ['Bot ID.', '扣子中智能体的编号。', 'ボットのIDです。']),
    'api-base': address(
      'https://api.coze.cn',
      ['Address', '地址', 'アドレス'],
      [
        'Chinese and international accounts use different URLs.',
        '中国版与国际版账号的地址不同。',
        '中国版と国際版のアカウントではアドレスが異なります。',
      ],
      {
        'https://api.coze.cn': ['China (coze.cn)', '中国版（coze.cn）', '中国版（coze.cn）'],
        'https://api.coze.com': ['International (coze.com)', '国际版（coze.com）', '国際版（coze.com）'],
      },
      optional,
    ),
    'auto-save-history': flag(
      true,
      ['Store history in Coze', '保存对话历史', '履歴をCozeに保存'],
      ['Coze stores the conversation history.', '由扣子保存对话历史。', '会話をサービス側で記憶します。'],
      { ...optional, 'x-alias': { name: 'auto_save_history', wins: true } },
    ),
    timeout: decimal(
      120,
      [0, maximumTimeoutSeconds],
      ['Timeout', '超时时间', '制限時間'],
      ['Seconds.', '单位为秒。', '単位は秒です。'],
      {
        ...optional,
        'x-form': 'number',
      },
    ),
  },
);
export type CozeConfig = Static<typeof cozeConfig>;

/** The settings as the runner uses them. */
export interface CozeSettings {
  apiKey: string;
  botId: string;
  address: string;
  /** Whether the service stores the conversation; otherwise each request includes the history. */
  keepsHistory: boolean;
  /** Longest silence of the service, milliseconds. */
  silenceTimeoutMs: number;
}

/** @throws ParleyError `provider_unauthorized` or `invalid_request` when required settings are missing */
export function readCozeSettings(config: CozeConfig): CozeSettings {
  const { 'api-key': apiKey, 'bot-id': botId, 'api-base': address } = config;
  requireFields('Coze', { 'api-key': apiKey, 'bot-id': botId, 'api-base': address });
  return {
    apiKey: apiKey.trim(),
    botId: botId.trim(),
    address,
    keepsHistory: config['auto-save-history'],
    silenceTimeoutMs: timeoutMs(config.timeout),
  };
}
