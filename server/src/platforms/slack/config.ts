import { Address, Secret } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import { proxyField } from '../../kit/proxy-field.ts';

/** Where Slack's own Web API is. */
export const defaultApiBaseUrl = 'https://slack.com/api';

/** The `adapter_config` of a Slack bot. */
export const SlackConfig = Type.Object(
  {
    bot_token: Secret({
      description: 'The bot token, xoxb-…, of the app in its workspace.',
      'x-label': { en_US: 'Bot token', zh_Hans: '机器人令牌', ja_JP: 'ボットトークン' },
      'x-help': {
        en_US: 'The bot user OAuth token (xoxb-…) from OAuth & Permissions of the app.',
        zh_Hans: '应用的 OAuth & Permissions 页面中的 Bot User OAuth Token（xoxb-…）。',
        ja_JP: 'アプリのOAuth & PermissionsにあるBot User OAuth Token（xoxb-…）です。',
      },
    }),
    signing_secret: Secret({
      default: '',
      'x-optional': true,
      description: 'Verifies requests of Slack to the webhook. Not needed in socket mode.',
      'x-label': { en_US: 'Signing secret', zh_Hans: '签名密钥', ja_JP: '署名シークレット' },
      'x-help': {
        en_US: 'From Basic Information of the app. Verifies requests to the webhook; not needed in socket mode.',
        zh_Hans: '应用的 Basic Information 页面中的 Signing Secret，用于验证 Webhook 请求；Socket 模式下无需填写。',
        ja_JP:
          'アプリのBasic InformationにあるSigning Secretです。Webhookの検証に使います。ソケットモードでは不要です。',
      },
    }),
    app_token: Secret({
      default: '',
      'x-optional': true,
      description: 'An app-level token, xapp-…, selects socket mode: no public address is needed.',
      'x-label': { en_US: 'App-level token', zh_Hans: '应用级令牌', ja_JP: 'アプリレベルトークン' },
      'x-help': {
        en_US:
          'App-level token (xapp-…) with the scope connections:write. If set, socket mode is used: no webhook and no public address.',
        zh_Hans: '具有 connections:write 权限的应用级令牌（xapp-…）。填写后使用 Socket 模式，无需 Webhook 和公网地址。',
        ja_JP:
          'スコープconnections:writeを持つアプリレベルトークン（xapp-…）です。入力するとソケットモードになり、Webhookと公開アドレスは不要です。',
      },
    }),
    'enable-stream-reply': Type.Boolean({
      default: false,
      description: 'Shows answers while they are generated.',
      'x-label': { en_US: 'Stream replies', zh_Hans: '流式回复', ja_JP: '回答の逐次表示' },
      'x-help': {
        en_US:
          'Shows answers while they are generated: in threads as a stream, elsewhere by edits, about 50 a minute in all.',
        zh_Hans: '在生成过程中逐步显示回答：在消息列中使用流式消息，其他位置编辑消息（每分钟合计约 50 次）。',
        ja_JP:
          '作成中の回答を順次表示します。スレッドではストリーム、それ以外ではメッセージの編集（合計で毎分約50回まで）を使います。',
      },
    }),
    api_base_url: Address({
      default: defaultApiBaseUrl,
      'x-advanced': true,
      description: 'URL of the Web API. Change it only for a gateway.',
      'x-label': { en_US: 'API base URL', zh_Hans: 'API 地址', ja_JP: 'APIアドレス' },
      'x-help': {
        en_US: 'URL of the Web API. Change it only for a gateway.',
        zh_Hans: 'Web API 地址。仅在使用网关时修改。',
        ja_JP: 'Web APIのアドレスです。ゲートウェイを使う場合だけ変更してください。',
      },
    }),
    proxy: proxyField('Slack'),
  },
  { additionalProperties: false },
);

/** A bot's settings after defaults were filled in. */
export type SlackSettings = Static<typeof SlackConfig>;
