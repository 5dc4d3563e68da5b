import type { I18nText } from '@parley/sdk';

/** How to create an app and get its tokens. */
export const setupSteps: readonly I18nText[] = [
  {
    en_US: 'Create an app at [api.slack.com/apps](https://api.slack.com/apps) for your workspace.',
    zh_Hans: '在 [api.slack.com/apps](https://api.slack.com/apps) 为你的工作区创建应用。',
    ja_JP: '[api.slack.com/apps](https://api.slack.com/apps)で、ワークスペースのアプリを作成します。',
  },
  {
    en_US:
      'Under **OAuth & Permissions**, add the bot scopes `chat:write`, `im:history`, `im:write`, `app_mentions:read`, `files:read`, `files:write`, `users:read` and `channels:read`, install the app and copy the bot token (`xoxb-…`).',
    zh_Hans:
      '在 **OAuth & Permissions** 中添加机器人权限 `chat:write`、`im:history`、`im:write`、`app_mentions:read`、`files:read`、`files:write`、`users:read`、`channels:read`，安装应用并复制机器人令牌（`xoxb-…`）。',
    ja_JP:
      '**OAuth & Permissions** でボットのスコープ `chat:write`、`im:history`、`im:write`、`app_mentions:read`、`files:read`、`files:write`、`users:read`、`channels:read` を追加し、アプリをインストールしてボットトークン（`xoxb-…`）をコピーします。',
  },
  {
    en_US:
      'Without a public address: enable **Socket Mode**, create an app-level token (`xapp-…`) with `connections:write`, and enter it below.',
    zh_Hans:
      '没有公网地址时：启用 **Socket Mode**，创建带有 `connections:write` 的应用级令牌（`xapp-…`）并填写在下方。',
    ja_JP:
      '公開アドレスがない場合：**Socket Mode** を有効にし、`connections:write` を持つアプリレベルトークン（`xapp-…`）を作成して下に入力します。',
  },
  {
    en_US:
      'With a webhook: copy the signing secret from **Basic Information**, save the bot, and enter its webhook URL under **Event Subscriptions**.',
    zh_Hans:
      '使用 Webhook 时：从 **Basic Information** 复制 Signing Secret，保存机器人，并将其 Webhook 地址填入 **Event Subscriptions**。',
    ja_JP:
      'Webhookを使う場合：**Basic Information** からSigning Secretをコピーしてボットを保存し、そのWebhook URLを **Event Subscriptions** に入力します。',
  },
  {
    en_US:
      'Under **Event Subscriptions**, subscribe to the bot events `message.im` and `app_mention`. Under **App Home**, allow users to send messages.',
    zh_Hans:
      '在 **Event Subscriptions** 中订阅机器人事件 `message.im` 与 `app_mention`。在 **App Home** 中允许用户发送消息。',
    ja_JP:
      '**Event Subscriptions** でボットイベント `message.im` と `app_mention` を購読します。**App Home** でユーザーからのメッセージを許可します。',
  },
];
