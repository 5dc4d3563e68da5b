import type { I18nText } from '@parley/sdk';

/** How to get a bot and its credentials. */
export const setupSteps: readonly I18nText[] = [
  {
    en_US:
      'In the WeCom app, open **Workbench > Smart bots** (or **Security & management > Management tools > Smart bots** in the admin console) and create a bot in **API mode**.',
    zh_Hans:
      '在企业微信的**工作台 > 智能机器人**（或管理后台的**安全与管理 > 管理工具 > 智能机器人**）中，以 **API 模式**创建机器人。',
    ja_JP:
      'WeComアプリの**ワークベンチ > スマートロボット**（または管理コンソールの**セキュリティと管理 > 管理ツール > スマートロボット**）で、**APIモード**のボットを作成します。',
  },
  {
    en_US: 'Choose the **long connection**, and copy the bot ID and the secret into the fields below.',
    zh_Hans: '选择**长连接**方式，将 Bot ID 和 Secret 填入下方字段。',
    ja_JP: '**常時接続**を選び、Bot IDとSecretを下の欄にコピーします。',
  },
  {
    en_US:
      'For a webhook instead, choose **URL callback**, copy its Token and EncodingAESKey, save the bot here, then enter the webhook URL there and save.',
    zh_Hans:
      '若使用 Webhook，请选择 **URL 回调**，复制 Token 和 EncodingAESKey 并在此保存机器人，再将 Webhook 地址填入企业微信并保存。',
    ja_JP:
      'Webhookを使う場合は**URLコールバック**を選び、TokenとEncodingAESKeyをコピーしてここでボットを保存し、その後WebhookのURLを入力して保存します。',
  },
  {
    en_US: 'Set who may use the bot. In groups, users mention it.',
    zh_Hans: '设置机器人的可见范围。在群聊中需要 @ 机器人。',
    ja_JP: 'ボットを使える範囲を設定します。グループではボットをメンションします。',
  },
];
