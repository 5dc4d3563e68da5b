import { Address, Secret } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import { proxyField } from '../../kit/proxy-field.ts';

/** Where Discord's API is, without its version. */
export const defaultApiBaseUrl = 'https://discord.com/api';

/** The `adapter_config` of a Discord bot. */
export const DiscordConfig = Type.Object(
  {
    token: Secret({
      description: 'The bot token from the page Bot of the application.',
      'x-label': { en_US: 'Bot token', zh_Hans: '机器人令牌', ja_JP: 'ボットのトークン' },
      'x-help': {
        en_US: 'The bot token from the page Bot of the application. It is shown only once, after Reset Token.',
        zh_Hans: '应用的 Bot 页面上的令牌，点击 Reset Token 后仅显示一次。',
        ja_JP: 'アプリケーションの「Bot」ページのトークンです。Reset Tokenの直後に一度だけ表示されます。',
      },
    }),
    client_id: Type.String({
      default: '',
      maxLength: 64,
      'x-optional': true,
      description: 'The application ID from the page General Information. Optional; checked by the connection test.',
      'x-label': { en_US: 'Application ID', zh_Hans: '应用 ID', ja_JP: 'アプリケーションID' },
      'x-help': {
        en_US: 'The application ID from the page General Information. Optional; checked by the connection test.',
        zh_Hans: '开发者后台 General Information 页面上的 Application ID。可不填；测试连接时会核对。',
        ja_JP: '「General Information」ページのApplication IDです。省略できます。接続テストで照合されます。',
      },
    }),
    'enable-stream-reply': Type.Boolean({
      default: false,
      description: 'Shows answers while they are generated.',
      'x-label': { en_US: 'Stream replies', zh_Hans: '流式回复', ja_JP: '回答の逐次表示' },
      'x-help': {
        en_US: 'Shows answers while they are generated, by editing the message.',
        zh_Hans: '通过编辑消息，在生成过程中逐步显示回答。',
        ja_JP: 'メッセージを編集しながら、作成中の回答を順次表示します。',
      },
    }),
    api_base_url: Address({
      default: defaultApiBaseUrl,
      'x-advanced': true,
      description: "URL of Discord's API, without its version.",
      'x-label': { en_US: 'API base URL', zh_Hans: 'API 地址', ja_JP: 'APIアドレス' },
      'x-help': {
        en_US: "URL of Discord's API, without its version. Change it only for a server that forwards to Discord.",
        zh_Hans: 'Discord API 的地址，不含版本号。仅在使用转发服务器时修改。',
        ja_JP: 'Discord APIのアドレスです（バージョンは含めません）。中継サーバーを使う場合だけ変更してください。',
      },
    }),
    proxy: proxyField('Discord'),
  },
  { additionalProperties: false },
);

/** A bot's settings after defaults were filled in. */
export type DiscordSettings = Static<typeof DiscordConfig>;
