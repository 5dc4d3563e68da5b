import type { I18nText } from '@parley/sdk';

/** How to get an app and its credentials. */
export const setupSteps: readonly I18nText[] = [
  {
    en_US:
      'Sign in above by QR code, which creates an app with its permissions; or create a custom app in the developer console ([Feishu](https://open.feishu.cn/app), [Lark](https://open.larksuite.com/app)).',
    zh_Hans:
      '使用上方的扫码登录，会自动创建带有权限的应用；或在开发者后台（[飞书](https://open.feishu.cn/app)、[Lark](https://open.larksuite.com/app)）创建企业自建应用。',
    ja_JP:
      '上のQRコードでサインインすると、権限付きのアプリが作成されます。または開発者コンソール（[Feishu](https://open.feishu.cn/app)、[Lark](https://open.larksuite.com/app)）でカスタムアプリを作成します。',
  },
  {
    en_US: 'Under **Add features**, add the **Bot**.',
    zh_Hans: '在**添加应用能力**中添加**机器人**。',
    ja_JP: '**機能の追加**で**ボット**を追加します。',
  },
  {
    en_US:
      'Under **Permissions**, allow `im:message`, `im:message:send_as_bot` and `im:resource`; for streamed replies also `cardkit:card:write`.',
    zh_Hans:
      '在**权限管理**中开通 `im:message`、`im:message:send_as_bot` 和 `im:resource`；流式回复还需要 `cardkit:card:write`。',
    ja_JP:
      '**権限**で `im:message`、`im:message:send_as_bot`、`im:resource` を許可します。逐次表示には `cardkit:card:write` も必要です。',
  },
  {
    en_US: 'Copy the app ID and secret from **Credentials & Basic Info** into the fields below, and save the bot here.',
    zh_Hans: '将**凭证与基础信息**中的 App ID 和 App Secret 填入下方字段，并在此保存机器人。',
    ja_JP: '**Credentials & Basic Info**のApp IDとApp Secretを下の欄にコピーし、ボットを保存します。',
  },
  {
    en_US:
      'Under **Events & callbacks**, choose the long connection (or enter the webhook URL) and add the event **Receive message** (`im.message.receive_v1`).',
    zh_Hans: '在**事件与回调**中选择长连接（或填写 Webhook 地址），并添加事件**接收消息**（`im.message.receive_v1`）。',
    ja_JP:
      '**イベントとコールバック**で常時接続を選び（またはWebhookのURLを入力し）、イベント**メッセージの受信**（`im.message.receive_v1`）を追加します。',
  },
  {
    en_US: 'Create a version of the app and publish it.',
    zh_Hans: '创建应用版本并发布。',
    ja_JP: 'アプリのバージョンを作成して公開します。',
  },
];
