import type { I18nText } from '@parley/sdk';

/** How to get a bot, its token, and the bot into a server. */
export const setupSteps: readonly I18nText[] = [
  {
    en_US:
      'Open the [Discord Developer Portal](https://discord.com/developers/applications), click **New Application** and enter a name.',
    zh_Hans:
      '打开 [Discord 开发者后台](https://discord.com/developers/applications)，点击 **New Application** 并输入名称。',
    ja_JP:
      '[Discord Developer Portal](https://discord.com/developers/applications)を開き、**New Application** をクリックして名前を入力します。',
  },
  {
    en_US: 'On the page **Bot**, click **Reset Token** and copy the token into the field below.',
    zh_Hans: '在 **Bot** 页面点击 **Reset Token**，将令牌复制到下方的字段中。',
    ja_JP: '**Bot** ページで **Reset Token** をクリックし、トークンを下の欄にコピーします。',
  },
  {
    en_US: 'On the same page, under **Privileged Gateway Intents**, switch on **Message Content Intent** and save.',
    zh_Hans: '在同一页面的 **Privileged Gateway Intents** 中打开 **Message Content Intent** 并保存。',
    ja_JP: '同じページの **Privileged Gateway Intents** で **Message Content Intent** をオンにして保存します。',
  },
  {
    en_US:
      'On the page **OAuth2**, under **OAuth2 URL Generator**, select the scope `bot` and the permissions View Channels, Send Messages, Send Messages in Threads, Attach Files and Read Message History.',
    zh_Hans:
      '在 **OAuth2** 页面的 **OAuth2 URL Generator** 中选择范围 `bot`，以及权限 View Channels、Send Messages、Send Messages in Threads、Attach Files 和 Read Message History。',
    ja_JP:
      '**OAuth2** ページの **OAuth2 URL Generator** でスコープ `bot` と、権限 View Channels、Send Messages、Send Messages in Threads、Attach Files、Read Message History を選びます。',
  },
  {
    en_US: 'Open the generated URL and add the bot to your server.',
    zh_Hans: '打开生成的链接，将机器人添加到你的服务器。',
    ja_JP: '生成されたURLを開き、ボットをサーバーに追加します。',
  },
];
