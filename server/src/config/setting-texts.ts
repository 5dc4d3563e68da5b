import type { ConfigField } from './config.ts';

/** A text in the languages of the console. */
export interface SettingText {
  en_US: string;
  zh_Hans: string;
  ja_JP: string;
}

type Texts = readonly [english: string, chinese: string, japanese: string];

/**
 * The name of each setting, and what it does in Chinese and Japanese; in English, the schema says it. A setting without
 * texts does not compile.
 */
const texts: Record<ConfigField, { label: Texts; help: readonly [chinese: string, japanese: string] }> = {
  host: {
    label: ['Listen address', '监听地址', '待ち受けアドレス'],
    help: [
      '服务器监听的地址。`0.0.0.0` 和 `::` 表示监听本机所在的所有网络。',
      '待ち受けるアドレスです。`0.0.0.0` と `::` は、このマシンのすべてのネットワークで待ち受けます。',
    ],
  },
  port: {
    label: ['Port', '端口', 'ポート'],
    help: [
      '监听的端口。`0` 表示选择空闲端口，启动时会显示。',
      '待ち受けるポートです。`0` なら空きポートを選び、起動時に表示します。',
    ],
  },
  dataDir: {
    label: ['Data folder', '数据文件夹', 'データフォルダー'],
    help: [
      '存放数据库文件、上传文件和密钥的文件夹。不存在时以权限 0700 创建。每个副本使用各自的文件夹。',
      'データベース、アップロードされたファイル、鍵を置くフォルダーです。なければ権限 0700 で作成します。レプリカごとに別のフォルダーを使います。',
    ],
  },
  databaseUrl: {
    label: ['PostgreSQL database', 'PostgreSQL 数据库', 'PostgreSQL データベース'],
    help: [
      'PostgreSQL 15 或更高版本的数据库地址。未设置时，数据存放在数据文件夹中的 SQLite 文件里。',
      'PostgreSQL 15 以降のデータベースです。設定しなければ、データフォルダーの SQLite ファイルに保存します。',
    ],
  },
  databasePoolSize: {
    label: ['Database connections', '数据库连接数', 'データベースの接続数'],
    help: [
      '每个副本为其工作最多打开的 PostgreSQL 连接数，另有 5 个保留给消息和心跳。服务器须能容纳所有副本的连接。',
      '各レプリカが処理のために開く PostgreSQL 接続の最大数です。ほかに、メッセージとハートビート用に 5 つを使います。サーバーには全レプリカの合計分の接続が必要です。',
    ],
  },
  databaseNamedStatements: {
    label: ['Named statements', '命名的预处理语句', '名前付きステートメント'],
    help: [
      '是否在 PostgreSQL 中以名称预处理每条消息的语句。使用不保留这些语句的事务级连接池（如 1.21 之前的 PgBouncer）时设为 `false`。',
      'メッセージごとの文を、名前を付けて PostgreSQL に準備するかどうかです。それを保持しないトランザクション単位のプーラー（PgBouncer 1.21 より前など）を使う場合は `false` にします。',
    ],
  },
  replicaAddress: {
    label: ['Replica address', '副本地址', 'レプリカのアドレス'],
    help: [
      '同一数据库的其他副本访问本副本的地址。本副本在此监听它们的调用，使用单独的端口，不应对外开放。默认不设置，其他副本无法调用本副本。',
      '同じデータベースを使うほかのレプリカから見た、このレプリカのアドレスです。専用のポートで呼び出しを待ち受けます。外部には公開しないでください。設定しなければ、ほかのレプリカから呼び出せません。',
    ],
  },
  filesFolder: {
    label: ['Files folder', '文件目录', 'ファイルフォルダー'],
    help: [
      '存放上传文件的文件夹，由所有副本共享。未设置且未使用存储桶时，文件存放在数据文件夹的 `files` 中。',
      'アップロードされたファイルのフォルダーで、すべてのレプリカが共有します。設定せず、バケットも使わなければ、データフォルダーの `files` に保存します。',
    ],
  },
  s3Bucket: {
    label: ['S3 bucket', 'S3 存储桶', 'S3 バケット'],
    help: [
      '代替文件夹存放上传文件的存储桶，可使用 Amazon S3 或兼容服务。',
      'フォルダーの代わりにアップロードされたファイルを保存するバケットです。Amazon S3 または互換サービスを使えます。',
    ],
  },
  s3Endpoint: {
    label: ['S3 endpoint', 'S3 端点', 'S3 エンドポイント'],
    help: [
      '提供存储桶的服务的地址。默认为该区域的 Amazon S3。',
      'バケットを提供するサービスのアドレスです。既定はリージョンの Amazon S3 です。',
    ],
  },
  s3Region: {
    label: ['S3 region', 'S3 区域', 'S3 リージョン'],
    help: ['存储桶所在的区域。', 'バケットのリージョンです。'],
  },
  s3AccessKeyId: {
    label: ['S3 access key ID', 'S3 访问密钥 ID', 'S3 アクセスキー ID'],
    help: [
      '存储桶的访问密钥。未设置时，AWS SDK 依次在 `AWS_…` 变量、`~/.aws` 以及容器或机器的角色中查找凭据。',
      'バケットのアクセスキーです。設定しなければ、AWS SDK が `AWS_…` 変数、`~/.aws`、コンテナーやマシンのロールの順に認証情報を探します。',
    ],
  },
  s3SecretAccessKey: {
    label: ['S3 secret access key', 'S3 私有访问密钥', 'S3 シークレットアクセスキー'],
    help: ['访问密钥对应的私有密钥。', 'アクセスキーのシークレットです。'],
  },
  s3Prefix: {
    label: ['S3 object prefix', 'S3 对象前缀', 'S3 オブジェクトの接頭辞'],
    help: [
      '存储桶中所有对象名称的开头，例如 `parley/`。',
      'バケット内のすべてのオブジェクト名の先頭に付く文字列です（例：`parley/`）。',
    ],
  },
  s3PathStyle: {
    label: ['S3 path-style addresses', 'S3 路径样式地址', 'S3 パス形式のアドレス'],
    help: [
      '存储桶名称是否放在地址的路径中而不是主机名中。MinIO、Ceph 等服务需要此设置。',
      'バケット名をホスト名ではなくアドレスのパスに入れるかどうかです。MinIO や Ceph などで必要です。',
    ],
  },
  newDatabase: {
    label: ['Allow a new database', '允许新建数据库', '新しいデータベースの作成を許可'],
    help: [
      '数据文件夹中已有以前的密钥和文件时，启动时是否可以新建 SQLite 数据库。启动选项 `--new-database` 可一次性允许。',
      'データフォルダーに以前の鍵やファイルがあっても、起動時に新しい SQLite データベースを作成するかどうかです。起動オプション `--new-database` は一度だけ許可します。',
    ],
  },
  secretKey: {
    label: ['Encryption key', '加密密钥', '暗号化キー'],
    help: [
      '用于加密已保存的提供商密钥和令牌。未设置时会生成一次并存放在数据文件夹中。命令行以及接管数据库的其他服务器需要相同的密钥。',
      '保存されたプロバイダーのキーやトークンを暗号化します。設定しなければ一度だけ生成し、データフォルダーに保存します。コマンドラインや、データベースを引き継ぐ別のサーバーにも同じキーが必要です。',
    ],
  },
  setupToken: {
    label: ['Setup token', '初始化令牌', '初期設定トークン'],
    help: [
      '创建第一个账号所需的令牌。未设置时，每次启动都会生成新令牌并显示带有该令牌的链接，直到有账号为止。',
      '最初のアカウントの作成に必要なトークンです。設定しなければ、アカウントができるまで起動のたびに生成し、リンクを表示します。',
    ],
  },
  setupWithoutToken: {
    label: ['Setup without token', '无需令牌初始化', 'トークンなしの初期設定'],
    help: [
      '来自本机的请求是否无需令牌即可创建第一个账号。仅用于运行测试的机器。',
      'このマシンからのリクエストが、トークンなしで最初のアカウントを作成できるかどうかです。テスト専用のマシン向けです。',
    ],
  },
  publicUrl: {
    label: ['Public address', '公开地址', '公開アドレス'],
    help: [
      '用户和消息平台访问服务器的地址。代理转发的 Host 标头与浏览器发送的不同时需要设置：控制台只能在此地址的页面上使用。',
      'ユーザーとメッセージングプラットフォームがサーバーに接続するアドレスです。プロキシーがブラウザーとは異なる Host ヘッダーを渡す場合に必要で、コンソールはこのアドレスのページでのみ動作します。',
    ],
  },
  platformProxy: {
    label: ['Platform proxy', '平台代理', 'プラットフォーム用プロキシー'],
    help: [
      '所有机器人访问其平台时使用的 HTTP 代理，例如 `http://user:password@proxy.example:3128`。机器人可以在自己的配置中另行指定。',
      'すべてのボットがプラットフォームに接続するときの HTTP プロキシーです（例：`http://user:password@proxy.example:3128`）。ボットごとに別の設定もできます。',
    ],
  },
  basePath: {
    label: ['Base path', '基础路径', 'ベースパス'],
    help: [
      '代理在某个路径下提供服务器时，每个路由前的路径。',
      'プロキシーがパスの下でサーバーを提供するとき、すべてのルートの前に付くパスです。',
    ],
  },
  trustedProxies: {
    label: ['Trusted proxies', '受信任的代理', '信頼するプロキシー'],
    help: ['信任其转发标头的代理。默认无。', '転送ヘッダーを信頼するプロキシーです。既定ではありません。'],
  },
  corsOrigins: {
    label: ['Allowed origins (CORS)', '允许的来源（CORS）', '許可するオリジン（CORS）'],
    help: [
      '可以从浏览器调用服务器的其他网站。默认无。',
      'ブラウザーからサーバーを呼び出せるほかのサイトです。既定ではありません。',
    ],
  },
  logLevel: {
    label: ['Log level', '日志级别', 'ログレベル'],
    help: ['记录的最低级别。', '記録する最も低いレベルです。'],
  },
  tokenLifetimeSeconds: {
    label: ['Session lifetime', '登录有效期', 'サインインの有効期間'],
    help: ['一次登录的有效时间。', '1回のサインインが有効な時間です。'],
  },
  pipelineConcurrency: {
    label: ['Concurrent answers', '同时回复数', '同時に回答する数'],
    help: ['最多同时回复多少个会话。', '同時に回答する会話の最大数です。'],
  },
  drainSeconds: {
    label: ['Drain time', '排空时间', 'ドレイン時間'],
    help: [
      '有其他副本在同一数据库上工作时，停止前继续响应请求的时间，期间 `/readyz` 返回 503，以便负载均衡器选择其他副本。应长于负载均衡器察觉所需的时间。`0` 表示不等待。',
      '同じデータベースでほかのレプリカが動作しているとき、停止の前にリクエストへ応答し続ける時間です。その間 `/readyz` は 503 を返し、ロードバランサーがほかのレプリカを選べます。ロードバランサーが気づくまでの時間より長くします。`0` なら待ちません。',
    ],
  },
  shutdownTimeoutSeconds: {
    label: ['Shutdown timeout', '停止超时', '停止のタイムアウト'],
    help: ['停止时等待进行中的工作的时间。', '停止するとき、進行中の処理を待つ時間です。'],
  },
  allowModifyLoginInfo: {
    label: ['Password changes', '允许修改密码', 'パスワードの変更'],
    help: ['用户是否可以修改自己账号的密码。', 'ユーザーが自分のアカウントのパスワードを変更できるかどうかです。'],
  },
  oidcIssuer: {
    label: ['Single sign-on: issuer', '单点登录：签发者', 'シングルサインオン：発行者'],
    help: [
      '用户可用来登录的身份提供商（OpenID Connect）的签发者。须将公开地址下的 `/sign-in/oidc` 登记为重定向地址。',
      'ユーザーがサインインに使える ID プロバイダー（OpenID Connect）の発行者です。公開アドレスの `/sign-in/oidc` をリダイレクト先として登録する必要があります。',
    ],
  },
  oidcClientId: {
    label: ['Single sign-on: client ID', '单点登录：客户端 ID', 'シングルサインオン：クライアント ID'],
    help: ['此服务器在身份提供商处的客户端 ID。', 'ID プロバイダーでのこのサーバーのクライアント ID です。'],
  },
  oidcClientSecret: {
    label: ['Single sign-on: client secret', '单点登录：客户端密钥', 'シングルサインオン：クライアントシークレット'],
    help: [
      '此服务器在身份提供商处的密钥。公开客户端无需设置。',
      'ID プロバイダーでのこのサーバーのシークレットです。公開クライアントでは不要です。',
    ],
  },
  oidcName: {
    label: ['Single sign-on: name', '单点登录：名称', 'シングルサインオン：名前'],
    help: ['登录页上显示的身份提供商名称。', 'サインインページに表示する ID プロバイダーの名前です。'],
  },
  oidcCreateAccounts: {
    label: ['Single sign-on: create accounts', '单点登录：自动创建账号', 'シングルサインオン：アカウントの作成'],
    help: [
      '身份提供商确认的每个人是否都会获得成员账号。否则须关联已有的账号。',
      'ID プロバイダーが確認したすべての人に、メンバーのアカウントを作成するかどうかです。作成しなければ、既存のアカウントとの連携が必要です。',
    ],
  },
  modelTimeoutSeconds: {
    label: ['Model timeout', '模型超时', 'モデルのタイムアウト'],
    help: ['模型无响应多久后回复失败。', 'モデルの応答がないとき、回答が失敗するまでの時間です。'],
  },
  auditRetentionDays: {
    label: ['Audit log retention', '审计日志保留时间', '監査ログの保持期間'],
    help: ['审计日志条目的保留时间。', '監査ログの項目を保持する期間です。'],
  },
  commandEnabled: {
    label: ['Chat commands', '聊天命令', 'チャットコマンド'],
    help: [
      '用户是否可以发送 `!help` 等聊天命令。',
      'ユーザーが `!help` などのチャットコマンドを送信できるかどうかです。',
    ],
  },
  commandPrefixes: {
    label: ['Command prefixes', '命令前缀', 'コマンドの接頭辞'],
    help: ['聊天命令的前缀。', 'チャットコマンドの接頭辞です。'],
  },
  commandPrivileges: {
    label: ['Command levels', '命令权限级别', 'コマンドの権限レベル'],
    help: [
      '谁可以使用命令：级别 1 为所有人，级别 2 为 `admins` 中列出的人。',
      'コマンドを使える人です。レベル 1 は全員、レベル 2 は `admins` に挙げた人です。',
    ],
  },
  admins: {
    label: ['Command admins', '命令管理员', 'コマンドの管理者'],
    help: [
      '可以在任何地方使用所有命令的用户，以及其中所有成员都可以使用的群组。',
      'どこでもすべてのコマンドを使えるユーザーと、全メンバーが使えるグループです。',
    ],
  },
  messageRetentionDays: {
    label: ['Message retention', '消息保留时间', 'メッセージの保持期間'],
    help: [
      '消息结束后连同其所有记录的保留时间。`0` 表示永久保留。',
      '終了したメッセージと、その記録を保持する期間です。`0` なら無期限に保持します。',
    ],
  },
  monitoringRetentionDays: {
    label: ['Monitoring retention', '监控数据保留时间', 'モニタリングの保持期間'],
    help: [
      '反馈和嵌入调用记录的保留时间。`0` 表示永久保留。',
      'フィードバックと埋め込み呼び出しの記録を保持する期間です。`0` なら無期限に保持します。',
    ],
  },
  uploadRetentionHours: {
    label: ['Unused upload retention', '未使用上传的保留时间', '未使用アップロードの保持期間'],
    help: [
      '上传的文件等待添加到知识库或随消息发送的时间，之后会被删除。`0` 表示一直等待。',
      'アップロードされたファイルが、ナレッジベースへの追加またはメッセージでの送信を待つ時間です。過ぎると削除します。`0` なら待ち続けます。',
    ],
  },
  parserThreads: {
    label: ['Parser threads', '解析线程数', '解析スレッド数'],
    help: [
      '同时读取的文档数，每个文档使用一个线程，最多占用 512 MB。`0`：两个；内存不足 2 GB 时为一个。',
      '同時に読み取る文書の数です。文書ごとに1スレッドで、最大 512 MB を使います。`0` なら2つ、メモリーが 2 GB 未満なら1つです。',
    ],
  },
  deliveryExpiryHours: {
    label: ['Delivery retry period', '投递重试期限', '配信を再試行する期間'],
    help: [
      '平台不接受完整回复时重试投递的时间。之后以原因 `expired` 结束为失败。',
      'プラットフォームが受け付けない回答の配信を再試行する期間です。過ぎると理由 `expired` で失敗になります。',
    ],
  },
  webhookWaitSeconds: {
    label: ['Webhook wait', 'Webhook 等待时间', 'Webhook の待ち時間'],
    help: [
      '消息最多等待接收它的 Webhook 首次响应的时间。`0` 表示不等待。',
      'メッセージが Webhook の最初の応答を待つ最長時間です。`0` なら待ちません。',
    ],
  },
  webhookRetentionDays: {
    label: ['Webhook log retention', 'Webhook 日志保留时间', 'Webhook ログの保持期間'],
    help: ['Webhook 投递日志的保留时间。', 'Webhook 配信ログを保持する期間です。'],
  },
  mcpStdioCommands: {
    label: ['Allowed MCP commands', '允许的 MCP 命令', '許可する MCP コマンド'],
    help: [
      '`stdio` 模式的 MCP 服务器可以启动的命令，须逐字匹配，例如 `uvx mcp-server-time`。末尾的 ` *` 允许任意后续参数。默认无，即拒绝该模式。',
      '`stdio` モードの MCP サーバーが起動できるコマンドです（例：`uvx mcp-server-time`）。末尾の ` *` は任意の引数を許可します。既定ではなく、このモードは使えません。',
    ],
  },
  extensions: {
    label: ['Extensions', '扩展', '拡張機能'],
    help: [
      '启动时加载到进程中的扩展，因此只应填写您信任的扩展。',
      '起動時にプロセスに読み込む拡張機能です。信頼できるものだけを指定してください。',
    ],
  },
  pluginHosts: {
    label: ['Plugin hosts', '插件主机', 'プラグインのホスト'],
    help: [
      '可以从中获取插件软件包及其列表的主机。默认为 GitHub 的主机；空列表表示不获取。',
      'プラグインのパッケージと一覧を取得できるホストです。既定は GitHub のホストで、空のリストなら取得しません。',
    ],
  },
  pluginCatalogue: {
    label: ['Plugin catalogue', '插件目录', 'プラグインカタログ'],
    help: [
      '列出可按名称安装的插件的 JSON 文件。其主机必须在 `plugin_hosts` 中。',
      '名前でインストールできるプラグインの JSON ファイルです。そのホストは `plugin_hosts` に含まれている必要があります。',
    ],
  },
  pluginIsolation: {
    label: ['Plugin isolation', '插件隔离', 'プラグインの分離'],
    help: [
      '插件的隔离方式。`best`：使用 Node.js 权限模型；系统支持 Landlock（Linux 5.13 及以上）时，再加上内核隔离。`kernel`：两者都必须具备；系统没有 Landlock 时不运行插件。',
      'プラグインを分離する方法です。`best` は Node.js の権限モデルを使い、Landlock のあるシステム（Linux 5.13 以降）ではカーネルによる分離も加えます。`kernel` は両方を必須とし、Landlock のないシステムではプラグインを実行しません。',
    ],
  },
  withoutPlugins: {
    label: ['Start without plugins', '启动时不加载插件', 'プラグインなしで起動'],
    help: [
      '是否不启动任何插件。启动选项 `--without-plugins` 可一次性达到同样效果。',
      'プラグインを一切起動しないかどうかです。起動オプション `--without-plugins` は一度だけ同じ動作をします。',
    ],
  },
  maxBots: {
    label: ['Maximum bots', '机器人数量上限', 'ボットの最大数'],
    help: ['最多可以有多少个机器人。`-1` 表示不限。', 'ボットの最大数です。`-1` なら制限しません。'],
  },
  maxPipelines: {
    label: ['Maximum pipelines', '流水线数量上限', 'パイプラインの最大数'],
    help: ['最多可以有多少条流水线。`-1` 表示不限。', 'パイプラインの最大数です。`-1` なら制限しません。'],
  },
  maxExtensions: {
    label: ['Maximum MCP servers and plugins', 'MCP 服务器和插件总数上限', 'MCP サーバーとプラグインの最大数'],
    help: [
      'MCP 服务器和插件合计最多可以有多少个。`-1` 表示不限。',
      'MCP サーバーとプラグインを合わせた最大数です。`-1` なら制限しません。',
    ],
  },
  maxConnections: {
    label: ['Maximum connections', '连接数上限', '最大接続数'],
    help: ['所有类型的同时连接数上限。超出的连接会立即关闭。', '同時接続の最大数です。超えた接続はすぐに閉じます。'],
  },
  maxOpenBodyMegabytes: {
    label: ['Memory for request bodies', '请求体内存', 'リクエスト本文のメモリー'],
    help: [
      '没有凭据的请求的请求体在到达期间总共可占用的内存；有凭据的请求另有同样大小。',
      '認証情報のないリクエストの本文が、受信中に合計で使えるメモリーです。認証情報のあるリクエストには別に同じ量があります。',
    ],
  },
  maxSockets: {
    label: ['Maximum sockets', '套接字数量上限', 'ソケットの最大数'],
    help: [
      '同时打开的网页聊天套接字数上限；事件流以及平台与机器人之间的 WebSocket 各有同样的上限。',
      '同時に開けるウェブチャットのソケット数です。イベントストリームと、プラットフォームからの WebSocket も、それぞれ同じ数までです。',
    ],
  },
  maxSocketsPerCaller: {
    label: ['Maximum sockets per caller', '每个调用者的套接字上限', '呼び出し元ごとのソケットの最大数'],
    help: [
      '一个账号或 API 密钥可同时打开的网页聊天套接字数和事件流数；以及平台可与一个机器人建立的 WebSocket 数。',
      '1つのアカウントまたは API キーが同時に開けるウェブチャットのソケットとイベントストリームの数、および1つのボットへの WebSocket の数です。',
    ],
  },
};

/** What a setting is called, and what it does. */
export function settingTexts(
  field: ConfigField,
  description: string,
): { label: SettingText; description: SettingText } {
  const { label, help } = texts[field];
  return {
    label: { en_US: label[0], zh_Hans: label[1], ja_JP: label[2] },
    description: { en_US: description, zh_Hans: help[0], ja_JP: help[1] },
  };
}
