import { Address, Secret } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import { proxyField } from '../../kit/proxy-field.ts';

/** Where Telegram's own Bot API server is. */
export const defaultApiBaseUrl = 'https://api.telegram.org';

/** The `adapter_config` of a Telegram bot. */
export const TelegramConfig = Type.Object(
  {
    token: Secret({
      description: 'The bot token from @BotFather, e.g. 123456789:AAH…',
      'x-label': { en_US: 'Token', zh_Hans: '令牌', ja_JP: 'トークン' },
      'x-help': {
        en_US: 'The bot token from @BotFather, e.g. 123456789:AAH…',
        zh_Hans: '@BotFather 发放的机器人令牌，形如 123456789:AAH…',
        ja_JP: '@BotFatherから受け取ったボットのトークンです（例：123456789:AAH…）。',
      },
    }),
    markdown_card: Type.Boolean({
      default: true,
      description: 'Shows Markdown as formatted text.',
      'x-label': { en_US: 'Render Markdown', zh_Hans: '渲染 Markdown', ja_JP: 'Markdownの表示' },
      'x-help': {
        en_US: 'Shows Markdown as formatted text. When off, the text is sent unchanged.',
        zh_Hans: '将回答中的 Markdown 显示为带格式的文本；关闭后按原文发送。',
        ja_JP: '回答のMarkdownを書式付きのテキストとして表示します。オフの場合はそのまま送信します。',
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
      description: 'URL of the Bot API server. Change it only for a self-hosted server.',
      'x-label': { en_US: 'API base URL', zh_Hans: 'API 地址', ja_JP: 'APIアドレス' },
      'x-help': {
        en_US: 'URL of the Bot API server. Change it only for a self-hosted server.',
        zh_Hans: 'Bot API 服务器地址。仅在使用自建服务器时修改。',
        ja_JP: 'Bot APIサーバーのアドレスです。自前のサーバーを使う場合だけ変更してください。',
      },
    }),
    'enable-webhook': Type.Boolean({
      default: false,
      description: 'Telegram pushes updates to this server. Requires a public HTTPS URL.',
      'x-label': { en_US: 'Receive via webhook', zh_Hans: '使用 Webhook 接收', ja_JP: 'Webhookで受信' },
      'x-help': {
        en_US:
          'Telegram pushes updates to this server. Requires a public HTTPS URL (PARLEY_PUBLIC_URL). The webhook is registered at Telegram automatically.',
        zh_Hans: '由 Telegram 主动推送消息。需要公网 HTTPS 地址（PARLEY_PUBLIC_URL），Webhook 会自动注册到 Telegram。',
        ja_JP:
          '問い合わせる代わりに、Telegramがこのサーバーを呼び出します。公開されたHTTPSアドレス（PARLEY_PUBLIC_URL）が必要です。WebhookはTelegramに自動で登録されます。',
      },
    }),
    proxy: proxyField('Telegram'),
  },
  { additionalProperties: false },
);

/** A bot's settings after defaults were filled in. */
export type TelegramSettings = Static<typeof TelegramConfig>;
