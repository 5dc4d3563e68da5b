import { Address, Secret } from '@parley/sdk';
import Type, { type Static } from 'typebox';

const inReverse = { 'x-show-if': { field: 'connection', operator: 'eq', value: 'reverse' } } as const;
const inForward = { 'x-show-if': { field: 'connection', operator: 'eq', value: 'forward' } } as const;

/** The `adapter_config` of a OneBot v11 bot. */
export const OneBotConfig = Type.Object(
  {
    connection: Type.Enum(['reverse', 'forward'], {
      default: 'reverse',
      description: 'Which side opens the websocket.',
      'x-label': { en_US: 'Connection', zh_Hans: '连接方式', ja_JP: '接続方式' },
      'x-help': {
        en_US: 'Which side opens the websocket.',
        zh_Hans: '由哪一方建立 WebSocket 连接。',
        ja_JP: 'WebSocketをどちらから接続するかを選びます。',
      },
      'x-options': {
        reverse: {
          en_US: 'Reverse: the client connects here',
          zh_Hans: '反向：QQ 客户端连接本服务',
          ja_JP: 'リバース：クライアントから接続',
        },
        forward: {
          en_US: 'Forward: connects to the client',
          zh_Hans: '正向：本服务连接 QQ 客户端',
          ja_JP: 'フォワード：クライアントへ接続',
        },
      },
    }),
    host: Type.String({
      default: '127.0.0.1',
      maxLength: 255,
      description: 'Address to listen on. 0.0.0.0 for all networks; this requires a token.',
      ...inReverse,
      'x-label': { en_US: 'Host', zh_Hans: '监听主机', ja_JP: 'ホスト' },
      'x-help': {
        en_US:
          'Address to listen on: 127.0.0.1 for clients on this machine, 0.0.0.0 for all networks (requires a token).',
        zh_Hans: '监听地址：127.0.0.1 仅限本机，0.0.0.0 表示所有网络（必须设置令牌）。',
        ja_JP:
          '待ち受けるアドレスです。このマシンだけなら127.0.0.1、すべてのネットワークなら0.0.0.0（トークンが必要）。',
      },
    }),
    port: Type.Integer({
      default: 2280,
      minimum: 1,
      maximum: 65_535,
      description: 'Port to listen on.',
      ...inReverse,
      'x-label': { en_US: 'Port', zh_Hans: '监听端口', ja_JP: 'ポート' },
      'x-help': {
        en_US: 'Port to listen on. The client connects to ws://<this server>:<port>/ws.',
        zh_Hans: '监听端口。客户端连接 ws://<本服务>:<端口>/ws。',
        ja_JP: '待ち受けるポートです。クライアントは ws://<このサーバー>:<ポート>/ws に接続します。',
      },
    }),
    url: Address({
      default: '',
      description: 'Address of the websocket server of the QQ client, e.g. ws://127.0.0.1:3001.',
      ...inForward,
      'x-optional': true,
      'x-label': { en_US: 'Client address', zh_Hans: '客户端地址', ja_JP: 'クライアントのアドレス' },
      'x-help': {
        en_US: 'Address of the websocket server of the QQ client, e.g. ws://127.0.0.1:3001.',
        zh_Hans: 'QQ 客户端的 WebSocket 服务器地址，例如 ws://127.0.0.1:3001。',
        ja_JP: 'QQクライアントのWebSocketサーバーのアドレスです（例：ws://127.0.0.1:3001）。',
      },
    }),
    'access-token': Secret({
      default: '',
      'x-optional': true,
      description: 'The token that is also entered in the QQ client.',
      'x-label': { en_US: 'Access token', zh_Hans: '访问令牌', ja_JP: 'アクセストークン' },
      'x-help': {
        en_US: 'The same token as in the QQ client. Required unless the host is 127.0.0.1, and for the webhook URL.',
        zh_Hans: '与 QQ 客户端中相同的令牌。监听主机不是 127.0.0.1 时必填；使用 Webhook 地址时也必填。',
        ja_JP: 'QQクライアントと同じトークンです。ホストが127.0.0.1以外の場合と、WebhookのURLを使う場合は必須です。',
      },
    }),
    'require-token': Type.Boolean({
      default: false,
      'x-initial': true,
      'x-advanced': true,
      description: 'Refuses to listen on other hosts than 127.0.0.1 without a token.',
      ...inReverse,
      'x-label': { en_US: 'Require a token', zh_Hans: '强制要求令牌', ja_JP: 'トークンを必須にする' },
      'x-help': {
        en_US:
          'Refuses to listen on other hosts than 127.0.0.1 without a token. Off only in configurations saved by an earlier system: anyone who reaches the port can then send messages as any user.',
        zh_Hans:
          '未设置令牌时，拒绝在 127.0.0.1 以外的地址上监听。仅旧系统保存的配置为关闭状态：此时任何能访问该端口的人都可以冒充任意用户发送消息。',
        ja_JP:
          'トークンなしで127.0.0.1以外のホストを待ち受けることを拒否します。オフになるのは以前のシステムの設定だけです。その場合、ポートに接続できる人は誰でも任意のユーザーとしてメッセージを送れます。',
      },
    }),
  },
  { additionalProperties: false },
);

/** A bot's settings after defaults were filled in. */
export type OneBotSettings = Static<typeof OneBotConfig>;
