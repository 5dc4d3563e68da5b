import type { I18nText } from '@parley/sdk';

/** How to connect a QQ client. */
export const setupSteps: readonly I18nText[] = [
  {
    en_US:
      'Install a QQ client that speaks OneBot v11, such as [NapCat](https://napneko.github.io/) or [LLBot](https://llonebot.com/), and sign in with the QQ account of the bot.',
    zh_Hans:
      '安装支持 OneBot v11 的 QQ 客户端，例如 [NapCat](https://napneko.github.io/) 或 [LLBot](https://llonebot.com/)，并登录机器人的 QQ 账号。',
    ja_JP:
      'OneBot v11に対応したQQクライアント（[NapCat](https://napneko.github.io/)や[LLBot](https://llonebot.com/)など）をインストールし、ボットのQQアカウントでログインします。',
  },
  {
    en_US:
      'In its network settings, add a reverse websocket (WebSocket client) with the address `ws://<this server>:<port>/ws`, the message format `array` and a token.',
    zh_Hans:
      '在其网络配置中新建反向 WebSocket（WebSocket 客户端），地址填写 `ws://<本服务>:<端口>/ws`，消息格式选择 `array`，并设置令牌。',
    ja_JP:
      'ネットワーク設定でリバースWebSocket（WebSocketクライアント）を追加し、アドレス `ws://<このサーバー>:<ポート>/ws`、メッセージ形式 `array`、トークンを設定します。',
  },
  {
    en_US:
      'Enter the same port and token below. If the client runs on another machine or in another container, set the host to `0.0.0.0`.',
    zh_Hans: '在下方填写相同的端口和令牌。客户端运行在其他机器或容器中时，将监听主机设为 `0.0.0.0`。',
    ja_JP:
      '下に同じポートとトークンを入力します。クライアントが別のマシンやコンテナーで動いている場合は、ホストを `0.0.0.0` にします。',
  },
  {
    en_US:
      'For the other direction, add a websocket server in the client, choose **Forward** below and enter its address, such as `ws://127.0.0.1:3001`.',
    zh_Hans:
      '若使用正向连接，请在客户端中新建 WebSocket 服务器，在下方选择 **正向** 并填写其地址，例如 `ws://127.0.0.1:3001`。',
    ja_JP:
      '逆方向で接続する場合は、クライアントにWebSocketサーバーを追加し、下で **フォワード** を選んでそのアドレス（例：`ws://127.0.0.1:3001`）を入力します。',
  },
  {
    en_US:
      'With several replicas, the port is open only on the one that has connected the bot. Use the address of the bot on this server in place of it: `wss://<this server>/bots/<id of the bot>`, or **Forward**.',
    zh_Hans:
      '部署多个副本时，只有连接了该机器人的副本会打开此端口。请改用机器人在本服务上的地址 `wss://<本服务>/bots/<机器人 ID>`，或选择 **正向**。',
    ja_JP:
      '複数のレプリカで運用する場合、このポートはボットが接続しているレプリカでのみ開きます。代わりにこのサーバー上のボットのアドレス `wss://<このサーバー>/bots/<ボットのID>` か **フォワード** を使います。',
  },
];
