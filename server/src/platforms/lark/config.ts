import { Address, Secret } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import { proxyField } from '../../kit/proxy-field.ts';

/** Addresses of the two installations of the platform, by `domain`. */
export const addresses = {
  feishu: { api: 'https://open.feishu.cn', accounts: 'https://accounts.feishu.cn' },
  lark: { api: 'https://open.larksuite.com', accounts: 'https://accounts.larksuite.com' },
} as const;

/** The `adapter_config` of a Lark bot. */
export const LarkConfig = Type.Object(
  {
    domain: Type.Enum(['feishu', 'lark'], {
      default: 'feishu',
      description: 'Feishu (mainland China) or Lark (elsewhere).',
      'x-label': { en_US: 'Region', zh_Hans: '区域', ja_JP: 'リージョン' },
      'x-help': {
        en_US: 'Where the app was created. The two have separate accounts.',
        zh_Hans: '应用所在的平台。飞书与 Lark 的账号互不相通。',
        ja_JP: 'アプリを作成した場所です。両者のアカウントは別々です。',
      },
      'x-options': {
        feishu: { en_US: 'Feishu (mainland China)', zh_Hans: '飞书', ja_JP: 'Feishu（中国本土）' },
        lark: { en_US: 'Lark (international)', zh_Hans: 'Lark（国际版）', ja_JP: 'Lark（国際版）' },
      },
    }),
    app_id: Type.String({
      default: '',
      maxLength: 200,
      description: 'App ID under "Credentials & Basic Info", e.g. cli_a1b2c3d4.',
      'x-label': { en_US: 'App ID', zh_Hans: '应用 ID', ja_JP: 'アプリID' },
      'x-help': {
        en_US: 'App ID under "Credentials & Basic Info", e.g. cli_a1b2c3d4.',
        zh_Hans: '“凭证与基础信息”中的 App ID，形如 cli_a1b2c3d4。',
        ja_JP: '「Credentials & Basic Info」にあるApp IDです（例：cli_a1b2c3d4）。',
      },
    }),
    app_secret: Secret({
      default: '',
      description: 'App secret from the same page.',
      'x-label': { en_US: 'App secret', zh_Hans: '应用密钥', ja_JP: 'アプリシークレット' },
      'x-help': {
        en_US: 'App secret from the same page.',
        zh_Hans: '同一页面中的 App Secret。',
        ja_JP: '同じページにあるApp Secretです。',
      },
    }),
    'enable-stream-reply': Type.Boolean({
      default: false,
      description: 'Shows answers while they are generated, in a card.',
      'x-label': { en_US: 'Stream replies', zh_Hans: '流式回复', ja_JP: '回答の逐次表示' },
      'x-help': {
        en_US: 'Shows answers while they are generated, in a card. Requires the permission cardkit:card:write.',
        zh_Hans: '在生成过程中以卡片逐步显示回答。需要权限 cardkit:card:write。',
        ja_JP: '作成中の回答をカードに順次表示します。cardkit:card:write の権限が必要です。',
      },
    }),
    'enable-webhook': Type.Boolean({
      default: false,
      description:
        'Lark sends events to this server. Requires a public HTTPS URL. Otherwise a long connection is used.',
      'x-label': { en_US: 'Receive via webhook', zh_Hans: '使用 Webhook 接收', ja_JP: 'Webhookで受信' },
      'x-help': {
        en_US:
          'Lark sends events to this server. Requires a public HTTPS URL (PARLEY_PUBLIC_URL) and the encrypt key. When off, the bot keeps a long connection, which needs neither.',
        zh_Hans:
          '由飞书主动推送事件。需要公网 HTTPS 地址（PARLEY_PUBLIC_URL）和 Encrypt Key。关闭时使用长连接，两者都不需要。',
        ja_JP:
          'Larkがこのサーバーにイベントを送信します。公開されたHTTPSアドレス（PARLEY_PUBLIC_URL）とEncrypt Keyが必要です。オフの場合は常時接続を使い、どちらも不要です。',
      },
    }),
    'encrypt-key': Secret({
      default: '',
      'x-optional': true,
      'x-show-if': { field: 'enable-webhook', operator: 'eq', value: true },
      description:
        'Encrypt key under "Event Configuration > Encryption Strategy". Requests without its signature are refused.',
      'x-label': { en_US: 'Encrypt key', zh_Hans: 'Encrypt Key', ja_JP: 'Encrypt Key' },
      'x-help': {
        en_US: 'From "Event Configuration > Encryption Strategy". Requests without its signature are refused.',
        zh_Hans: '“事件配置 > 加密策略”中的 Encrypt Key。没有其签名的请求会被拒绝。',
        ja_JP: '「Event Configuration > Encryption Strategy」のEncrypt Keyです。署名のないリクエストは拒否します。',
      },
    }),
    app_type: Type.Enum(['self', 'isv'], {
      default: 'self',
      description: 'A custom app, or an app of the store, which several companies install.',
      'x-advanced': true,
      'x-label': { en_US: 'App type', zh_Hans: '应用类型', ja_JP: 'アプリの種類' },
      'x-help': {
        en_US: 'Apps of the store can only receive via webhook.',
        zh_Hans: '商店应用只能通过 Webhook 接收事件。',
        ja_JP: 'ストアアプリはWebhookでのみ受信できます。',
      },
      'x-options': {
        self: { en_US: 'Custom app', zh_Hans: '企业自建应用', ja_JP: 'カスタムアプリ' },
        isv: { en_US: 'Store app', zh_Hans: '商店应用', ja_JP: 'ストアアプリ' },
      },
    }),
    welcome_text: Type.String({
      default: '',
      maxLength: 4000,
      'x-optional': true,
      'x-advanced': true,
      description: 'Sent when the bot is added to a group, or when a user opens the chat with it for the first time.',
      'x-label': { en_US: 'Welcome message', zh_Hans: '欢迎语', ja_JP: 'ウェルカムメッセージ' },
      'x-help': {
        en_US: 'Sent when the bot is added to a group, or when a user opens the chat with it for the first time.',
        zh_Hans: '机器人被添加到群组，或用户首次打开与它的会话时发送。',
        ja_JP: 'ボットがグループに追加されたとき、またはユーザーが初めてチャットを開いたときに送信します。',
      },
    }),
    bot_name: Type.String({
      default: '',
      maxLength: 200,
      'x-optional': true,
      'x-hidden': true,
      description: 'Kept for clients that write it; mentions are recognized by the account of the bot.',
      'x-label': { en_US: 'Bot name', zh_Hans: '机器人名称', ja_JP: 'ボット名' },
    }),
    api_base_url: Address({
      default: '',
      'x-optional': true,
      'x-advanced': true,
      description: 'URL of a private deployment. Default: that of the region.',
      'x-label': { en_US: 'API base URL', zh_Hans: 'API 地址', ja_JP: 'APIアドレス' },
      'x-help': {
        en_US: 'URL of a private deployment. Leave it empty for the region above.',
        zh_Hans: '私有化部署的地址。留空时使用上方所选区域。',
        ja_JP: 'プライベート環境のアドレスです。空欄の場合は上記のリージョンを使います。',
      },
    }),
    accounts_base_url: Address({
      default: '',
      'x-optional': true,
      'x-advanced': true,
      description: 'URL of the accounts service of a private deployment, for signing in. Default: that of the region.',
      'x-label': { en_US: 'Accounts URL', zh_Hans: '账号服务地址', ja_JP: 'アカウントのアドレス' },
      'x-help': {
        en_US: 'URL of the accounts service of a private deployment, for signing in.',
        zh_Hans: '私有化部署的账号服务地址，用于扫码登录。',
        ja_JP: 'プライベート環境のアカウントサービスのアドレスです（サインイン用）。',
      },
    }),
    proxy: proxyField('Lark', '飞书'),
  },
  { additionalProperties: false },
);

/** A bot's settings after defaults were filled in. */
export type LarkSettings = Static<typeof LarkConfig>;

/** Where the API of a bot is, without a slash at the end. */
export function apiAddress({ domain, api_base_url }: Pick<LarkSettings, 'domain' | 'api_base_url'>): string {
  return api_base_url.trim().replace(/\/+$/, '') || addresses[domain].api;
}
