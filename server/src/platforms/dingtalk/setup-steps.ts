import type { I18nText } from '@parley/sdk';

/** How to get an app and its credentials. */
export const setupSteps: readonly I18nText[] = [
  {
    en_US:
      'In the [developer console](https://open-dev.dingtalk.com/fe/app), create an app of your company and add the feature **Robot**.',
    zh_Hans: '在[开发者后台](https://open-dev.dingtalk.com/fe/app)创建企业内部应用，并添加应用能力**机器人**。',
    ja_JP:
      '[開発者コンソール](https://open-dev.dingtalk.com/fe/app)で企業内部アプリを作成し、機能**机器人**（ロボット）を追加します。',
  },
  {
    en_US: 'In the settings of the robot, choose **Stream mode** for receiving messages, and publish it.',
    zh_Hans: '在机器人配置中，将消息接收模式设为 **Stream 模式**并发布。',
    ja_JP: 'ロボットの設定で、メッセージの受信方式に**Stream模式**を選び、公開します。',
  },
  {
    en_US:
      'Under **Permissions**, allow `qyapi_robot_sendmsg`; for streamed replies also `Card.Instance.Write` and `Card.Streaming.Write`.',
    zh_Hans:
      '在**权限管理**中开通 `qyapi_robot_sendmsg`；流式回复还需要 `Card.Instance.Write` 和 `Card.Streaming.Write`。',
    ja_JP:
      '**权限管理**で `qyapi_robot_sendmsg` を許可します。逐次表示には `Card.Instance.Write` と `Card.Streaming.Write` も必要です。',
  },
  {
    en_US: 'Copy the client ID and secret from **Credentials & Basic Info** into the fields below.',
    zh_Hans: '将**凭证与基础信息**中的 Client ID 和 Client Secret 填入下方字段。',
    ja_JP: '**凭证与基础信息**のClient IDとClient Secretを下の欄にコピーします。',
  },
  {
    en_US:
      'For streamed replies, create a template of the scene **AI card** in the [card builder](https://open-dev.dingtalk.com/fe/card), bind the variable `content` to its Markdown component with streaming, publish it, and copy its ID.',
    zh_Hans:
      '如需流式回复，请在[卡片平台](https://open-dev.dingtalk.com/fe/card)新建场景为 **AI 卡片**的模板，将变量 `content` 绑定到开启流式的 Markdown 组件，发布后复制模板 ID。',
    ja_JP:
      '逐次表示を使う場合は、[カードビルダー](https://open-dev.dingtalk.com/fe/card)で**AI卡片**のテンプレートを作成し、逐次表示のMarkdown部品に変数 `content` を割り当てて公開し、IDをコピーします。',
  },
  {
    en_US: 'Publish a version of the app, then write to the robot, or add it to a group and mention it.',
    zh_Hans: '发布应用版本，然后与机器人单聊，或将其添加到群聊并 @ 它。',
    ja_JP: 'アプリのバージョンを公開し、ロボットに話しかけるか、グループに追加して@で呼びかけます。',
  },
];
