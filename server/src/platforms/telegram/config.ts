import { Address, Secret } from '@parley/sdk';
import Type, { type Static } from 'typebox';

/** Where Telegram's own Bot API server is. */
export const defaultApiBaseUrl = 'https://api.telegram.org';

/** The `adapter_config` of a Telegram bot. */
export const TelegramConfig = Type.Object(
  {
    token: Secret({
      description: 'The token that @BotFather gave the bot, such as 123456789:AAH…',
      'x-label': { en_US: 'Token', zh_Hans: '令牌' },
      'x-help': {
        en_US: 'The token that @BotFather gave the bot, such as 123456789:AAH…',
        zh_Hans: '@BotFather 发放的机器人令牌，形如 123456789:AAH…',
      },
    }),
    markdown_card: Type.Boolean({
      default: true,
      description: 'Shows the Markdown of an answer as formatted text.',
      'x-label': { en_US: 'Render Markdown', zh_Hans: '渲染 Markdown' },
      'x-help': {
        en_US: 'Shows the Markdown of an answer as formatted text. When off, the text is sent as it is.',
        zh_Hans: '将回答中的 Markdown 显示为带格式的文本；关闭后按原文发送。',
      },
    }),
    'enable-stream-reply': Type.Boolean({
      default: false,
      description: 'Shows an answer while it is written.',
      'x-label': { en_US: 'Stream replies', zh_Hans: '流式回复' },
      'x-help': {
        en_US: 'Shows an answer while it is written, by editing the message.',
        zh_Hans: '通过编辑消息，在生成过程中逐步显示回答。',
      },
    }),
    api_base_url: Address({
      default: defaultApiBaseUrl,
      description: 'Address of the Bot API server. Change it only for a server of your own.',
      'x-label': { en_US: 'API address', zh_Hans: 'API 地址' },
      'x-help': {
        en_US: 'Address of the Bot API server. Change it only for a server of your own.',
        zh_Hans: 'Bot API 服务器地址。仅在使用自建服务器时修改。',
      },
    }),
    'enable-webhook': Type.Boolean({
      default: false,
      description: 'Telegram calls this server instead of being asked. Needs a public HTTPS address.',
      'x-label': { en_US: 'Receive by webhook', zh_Hans: '使用 Webhook 接收' },
      'x-help': {
        en_US:
          'Telegram calls this server instead of being asked. Needs a public HTTPS address (PARLEY_PUBLIC_URL); the webhook is registered at Telegram by itself.',
        zh_Hans: '由 Telegram 主动推送消息。需要公网 HTTPS 地址（PARLEY_PUBLIC_URL），Webhook 会自动注册到 Telegram。',
      },
    }),
  },
  { additionalProperties: false },
);

/** A bot's settings after defaults were filled in. */
export type TelegramSettings = Static<typeof TelegramConfig>;
