import { address, flag, i18n, optional, secret, text } from '@parley/sdk/fields';
import Type, { type Static } from 'typebox';
import { proxyField } from '../../kit/proxy-field.ts';
import { settingFault } from '../../kit/setting-fault.ts';

/** Addresses of the platform itself. */
export const defaultAddresses = {
  websocket: 'wss://openws.work.weixin.qq.com',
  api: 'https://qyapi.weixin.qq.com',
};

const advanced = { 'x-advanced': true } as const;
const inSocketMode = { 'x-show-if': { field: 'enable-webhook', operator: 'eq', value: false } } as const;
const inWebhookMode = { 'x-show-if': { field: 'enable-webhook', operator: 'eq', value: true } } as const;

/** The `adapter_config` of an AI bot of WeCom. */
export const WecomBotConfig = Type.Object(
  {
    BotId: text(
      '',
      ['Bot ID', '机器人 ID', 'ボットID'],
      [
        'Bot ID from the page of the bot in WeCom.',
        '企业微信智能机器人页面中的 Bot ID。',
        'WeComのボットのページにあるBot IDです。',
      ],
    ),
    robot_name: text(
      '',
      ['Bot name', '机器人名称', 'ボット名'],
      [
        'Name of the bot in WeCom, which group messages start with. It is removed from them.',
        '机器人在企业微信中的名称。群消息以“@名称”开头，处理时会将其去掉。',
        'WeComでのボットの名前です。グループのメッセージの先頭にある「@名前」を取り除くために使います。',
      ],
      optional,
    ),
    'enable-webhook': flag(
      false,
      ['Receive via webhook', '使用 Webhook 接收', 'Webhookで受信'],
      [
        'WeCom sends messages to this server. Requires a public HTTPS URL (PARLEY_PUBLIC_URL). When off, the bot keeps a long connection, which can also send files and unsolicited messages.',
        '由企业微信主动推送消息，需要公网 HTTPS 地址（PARLEY_PUBLIC_URL）。关闭时使用长连接，还可发送文件和主动消息。',
        'WeComがこのサーバーにメッセージを送信します。公開されたHTTPSアドレス（PARLEY_PUBLIC_URL）が必要です。オフの場合は常時接続を使い、ファイルや能動的なメッセージも送信できます。',
      ],
    ),
    Secret: secret(
      '',
      ['Secret', 'Secret', 'Secret'],
      [
        'Secret for the long connection, from the same page.',
        '同一页面中的长连接 Secret。',
        '同じページにある常時接続用のSecretです。',
      ],
      { ...optional, ...inSocketMode },
    ),
    Token: secret(
      '',
      ['Token', 'Token', 'Token'],
      [
        'Token of the callback, from the same page.',
        '同一页面中回调配置的 Token。',
        '同じページにあるコールバックのTokenです。',
      ],
      { ...optional, ...inWebhookMode },
    ),
    EncodingAESKey: secret(
      '',
      ['EncodingAESKey', 'EncodingAESKey', 'EncodingAESKey'],
      [
        'Key that callbacks are encrypted with, 43 characters.',
        '回调配置的 EncodingAESKey，共 43 个字符。',
        'コールバックの暗号化に使うキーです（43文字）。',
      ],
      { ...optional, ...inWebhookMode },
    ),
    'enable-stream-reply': flag(
      true,
      ['Stream replies', '流式回复', '回答の逐次表示'],
      ['Shows answers while they are generated.', '在生成过程中逐步显示回答。', '作成中の回答を順次表示します。'],
    ),
    welcome_text: Type.String({
      default: '',
      maxLength: 4000,
      ...optional,
      ...advanced,
      description: 'Sent when a user opens the chat with the bot for the first time on a day.',
      'x-label': i18n(['Welcome message', '欢迎语', 'ウェルカムメッセージ']),
      'x-help': i18n([
        'Sent when a user opens the chat with the bot for the first time on a day.',
        '用户当天首次进入与机器人的单聊时发送。',
        'ユーザーがその日初めてボットとのチャットを開いたときに送信します。',
      ]),
    }),
    websocket_url: address(
      defaultAddresses.websocket,
      ['WebSocket URL', 'WebSocket 地址', 'WebSocketのアドレス'],
      [
        'Where the long connection is opened. Change it only for a private deployment.',
        '长连接地址，仅私有化部署需要修改。',
        '常時接続のアドレスです。プライベート環境の場合にだけ変更します。',
      ],
      {},
      { ...advanced, ...inSocketMode },
    ),
    api_base_url: address(
      defaultAddresses.api,
      ['API base URL', 'API 地址', 'APIアドレス'],
      [
        'Where replies to callbacks are posted to and files are kept. Change it only for a private deployment.',
        '回调消息的回复与文件所在的地址，仅私有化部署需要修改。',
        'コールバックへの返信先とファイルのアドレスです。プライベート環境の場合にだけ変更します。',
      ],
      {},
      { ...advanced, ...inWebhookMode },
    ),
    Corpid: text(
      '',
      ['Corp ID', '企业 ID', '企業ID'],
      [
        'Kept for clients that write it; not used.',
        '为兼容而保留，未使用。',
        '互換性のために残されており、使用しません。',
      ],
      {
        ...optional,
        'x-hidden': true,
      },
    ),
    proxy: proxyField('WeCom', '企业微信'),
  },
  { additionalProperties: false },
);

/** A bot's settings after defaults were filled in. */
export type WecomBotSettings = Static<typeof WecomBotConfig>;

/** @throws ParleyError `invalid_request` with the field when a setting is missing */
export function requireSettings(settings: WecomBotSettings): void {
  const needed = settings['enable-webhook']
    ? (['BotId', 'Token', 'EncodingAESKey'] as const)
    : (['BotId', 'Secret'] as const);
  const path = needed.find((name) => settings[name].trim() === '');
  if (path === undefined) return;
  throw settingFault(path, `Enter ${path}`, 'required');
}
