import { ParleyError } from '@parley/sdk';
import { address, group, optional, secret, text } from '@parley/sdk/fields';
import type { Static } from 'typebox';
import { requireFields } from '../../kit/services/required-fields.ts';
import { isRecord } from '../../kit/services/values.ts';

/** Settings of the runner: the group `ai.langflow-api` of a pipeline. */
export const langflowConfig = group(
  ['Langflow', 'Langflow', 'Langflow'],
  ['Answers with a Langflow flow.', '使用 Langflow 流程回复。', 'Langflowのフローで回答します。'],
  {
    'base-url': address(
      'http://localhost:7860',
      ['Address', '地址', 'アドレス'],
      ['URL of the server.', 'Langflow 服务器的地址。', 'サーバーのアドレスです。'],
    ),
    'api-key': secret('your-api-key', ['API key', 'API 密钥', 'APIキー'], null),
    'flow-id': text(
      'your-flow-id',
      ['Flow', '流程 ID', 'フロー'],
      ['Flow ID.', 'Langflow 中流程的编号。', 'フローのIDです。'],
    ),
    'input-type': text(
      'chat',
      ['Input type', '输入类型', '入力の種類'],
      ['As expected by the flow.', '与流程的输入一致。', 'フローの入力に合わせます。'],
      { ...optional, 'x-alias': { name: 'input_type', wins: true } },
    ),
    'output-type': text(
      'chat',
      ['Output type', '输出类型', '出力の種類'],
      ['As returned by the flow.', '与流程的输出一致。', 'フローの出力に合わせます。'],
      { ...optional, 'x-alias': { name: 'output_type', wins: true } },
    ),
    tweaks: text(
      '{}',
      ['Tweaks', '流程调整', 'フローの調整'],
      [
        'JSON. Overrides component settings for these requests.',
        'JSON 格式；仅对这些请求替换组件的设置。',
        'JSONで指定します。ここからの呼び出しに限り、コンポーネントの設定を置き換えます。',
      ],
      { ...optional, 'x-form': 'json' },
    ),
  },
);
export type LangflowConfig = Static<typeof langflowConfig>;

/** The settings as the runner uses them. */
export interface LangflowSettings {
  address: string;
  apiKey: string;
  flowId: string;
  inputType: string;
  outputType: string;
  /** Settings of components that are replaced. */
  tweaks: Record<string, unknown>;
}

const defaultType = 'chat';

/** @throws ParleyError `provider_unauthorized` or `invalid_request` when required settings are missing */
export function readLangflowSettings(config: LangflowConfig): LangflowSettings {
  const { 'base-url': address, 'api-key': apiKey, 'flow-id': flowId } = config;
  requireFields('Langflow', { 'base-url': address, 'api-key': apiKey, 'flow-id': flowId });
  return {
    address,
    apiKey: apiKey.trim(),
    flowId: flowId.trim(),
    inputType: config['input-type'].trim() || defaultType,
    outputType: config['output-type'].trim() || defaultType,
    tweaks: parseTweaks(config.tweaks),
  };
}

function parseTweaks(text: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  let tweaks: unknown;
  try {
    tweaks = JSON.parse(text);
  } catch {
    // Reported below, as for JSON of another type.
  }
  if (isRecord(tweaks)) return tweaks;
  throw new ParleyError('invalid_request', 'Langflow: the tweaks of the pipeline are not a JSON object.');
}
