import { address, group, optional, secret, text } from '@parley/sdk/fields';
import type { Static } from 'typebox';
import { requireFields } from '../../kit/services/required-fields.ts';

/** Settings of the runner: the group `ai.tbox-app-api` of a pipeline. */
export const tboxConfig = group(
  ['Tbox', '百宝箱', 'Tbox'],
  ['Answers with a Tbox application.', '使用蚂蚁百宝箱应用回复。', 'Tboxのアプリケーションで回答します。'],
  {
    'api-key': secret('', ['API key', 'API 密钥', 'APIキー'], null),
    'app-id': text(
      '',
      ['Application', '应用 ID', 'アプリケーション'],
      ['Application ID.', '百宝箱中应用的编号。', 'アプリケーションのIDです。'],
    ),
    'base-url': address(
      'https://api.tbox.cn',
      ['Address', '地址', 'アドレス'],
      [
        'Change only if you do not use the public service.',
        '如不使用公网地址，可在此修改。',
        '公開アドレス以外を使う場合に変更します。',
      ],
      {},
      optional,
    ),
  },
);
export type TboxConfig = Static<typeof tboxConfig>;

/** The settings as the runner uses them. */
export interface TboxSettings {
  apiKey: string;
  appId: string;
  address: string;
}

/** @throws ParleyError `provider_unauthorized` or `invalid_request` when required settings are missing */
export function readTboxSettings(config: TboxConfig): TboxSettings {
  const { 'api-key': apiKey, 'app-id': appId, 'base-url': address } = config;
  requireFields('Tbox', { 'api-key': apiKey, 'app-id': appId, 'base-url': address });
  return { apiKey: apiKey.trim(), appId: appId.trim(), address };
}
