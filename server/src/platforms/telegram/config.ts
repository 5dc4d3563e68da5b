import { Address, Secret } from '@parley/sdk';
import Type, { type Static } from 'typebox';

/** Where Telegram's own Bot API server is. */
export const defaultApiBaseUrl = 'https://api.telegram.org';

/** The `adapter_config` of a Telegram bot. */
export const TelegramConfig = Type.Object(
  {
    token: Secret({
      description: 'The token that @BotFather gave the bot, such as 123456789:AAH…',
      'x-label': { en_US: 'Token', zh_Hans: '令牌', ja_JP: 'トークン' },
      'x-help': {
        en_US: 'The token that @BotFather gave the bot, such as 123456789:AAH…',
        zh_Hans: '@BotFather 发放的机器人令牌，形如 123456789:AAH…',
        ja_JP: '@BotFatherから受け取ったボットのトークンです（例：123456789:AAH…）。',
      },
    }),
    markdown_card: Type.Boolean({
      default: true,
      description: 'Shows the Markdown of an answer as formatted text.',
      'x-label': { en_US: 'Render Markdown', zh_Hans: '渲染 Markdown', ja_JP: 'Markdownの表示' },
      'x-help': {
        en_US: 'Shows the Markdown of an answer as formatted text. When off, the text is sent as it is.',
        zh_Hans: '将回答中的 Markdown 显示为带格式的文本；关闭后按原文发送。',
        ja_JP: '回答のMarkdownを書式付きのテキストとして表示します。オフの場合はそのまま送信します。',
      },
    }),
    'enable-stream-reply': Type.Boolean({
      default: false,
      description: 'Shows an answer while it is written.',
      'x-label': { en_US: 'Stream replies', zh_Hans: '流式回复', ja_JP: '回答の逐次表示' },
      'x-help': {
        en_US: 'Shows an answer while it is written, by editing the message.',
        zh_Hans: '通过编辑消息，在生成过程中逐步显示回答。',
        ja_JP: 'メッセージを編集しながら、作成中の回答を順次表示します。',
      },
    }),
    api_base_url: Address({
      default: defaultApiBaseUrl,
      description: 'Address of the Bot API server. Change it only for a server of your own.',
      'x-label': { en_US: 'API address', zh_Hans: 'API 地址', ja_JP: 'APIアドレス' },
      'x-help': {
        en_US: 'Address of the Bot API server. Change it only for a server of your own.',
        zh_Hans: 'Bot API 服务器地址。仅在使用自建服务器时修改。',
        ja_JP: 'Bot APIサーバーのアドレスです。自前のサーバーを使う場合だけ変更してください。',
      },
    }),
    'enable-webhook': Type.Boolean({
      default: false,
      description: 'Telegram calls this server instead of being asked. Needs a public HTTPS address.',
      'x-label': { en_US: 'Receive by webhook', zh_Hans: '使用 Webhook 接收', ja_JP: 'Webhookで受信' },
      'x-help': {
        en_US:
          'Telegram calls this server instead of being asked. Needs a public HTTPS address (PARLEY_PUBLIC_URL); the webhook is registered at Telegram by itself.',
        zh_Hans: '由 Telegram 主动推送消息。需要公网 HTTPS 地址（PARLEY_PUBLIC_URL），Webhook 会自动注册到 Telegram。',
        ja_JP:
          '問い合わせる代わりに、Telegramがこのサーバーを呼び出します。公開されたHTTPSアドレス（PARLEY_PUBLIC_URL）が必要です。WebhookはTelegramに自動で登録されます。',
      },
    }),
  },
  { additionalProperties: false },
);

/** A bot's settings after defaults were filled in. */
export type TelegramSettings = Static<typeof TelegramConfig>;
