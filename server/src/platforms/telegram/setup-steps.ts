import type { I18nText } from '@parley/sdk';

/** How to get a bot and its token. */
export const setupSteps: readonly I18nText[] = [
  {
    en_US: 'Open a chat with [@BotFather](https://t.me/BotFather) in Telegram and send `/newbot`.',
    zh_Hans: '在 Telegram 中打开与 [@BotFather](https://t.me/BotFather) 的对话，发送 `/newbot`。',
    ja_JP: 'Telegramで[@BotFather](https://t.me/BotFather)とのチャットを開き、`/newbot` を送信します。',
  },
  {
    en_US: 'Enter a name, and a username that ends in `bot`.',
    zh_Hans: '输入名称，以及以 `bot` 结尾的用户名。',
    ja_JP: '名前と、`bot` で終わるユーザー名を入力します。',
  },
  {
    en_US: 'Copy the token that @BotFather shows into the field below.',
    zh_Hans: '将 @BotFather 显示的令牌复制到下方的字段中。',
    ja_JP: '@BotFatherが表示するトークンを下の欄にコピーします。',
  },
  {
    en_US:
      'For groups: send `/setprivacy` to @BotFather and choose **Disable** if the bot should receive all messages.',
    zh_Hans: '用于群组时：如果机器人需要接收所有消息，请向 @BotFather 发送 `/setprivacy` 并选择 **Disable**。',
    ja_JP:
      'グループで使う場合：ボットがすべてのメッセージを受け取るには、@BotFatherに `/setprivacy` を送信し、**Disable** を選びます。',
  },
];
