import { address, choice, decimal, flag, group, optional, secret, text, type Words, whole } from './config-fields.ts';

/*
 * The groups of runners that hand a message on to a service elsewhere, by the name of the runner. Clients show the
 * group whose name is the chosen runner's.
 */

/** Longest wait for a service, seconds. */
const maximumTimeout = 86_400;

const silence: Words = [
  'Maximum seconds without a response; 0 for 120.',
  '服务最长可以不作响应的时间，单位为秒；0 表示 120 秒。',
  'サービスの応答を待つ秒数です。0の場合は120秒です。',
];

const whenAuthenticatedBy = (value: string) =>
  ({ ...optional, 'x-show-if': { field: 'auth-type', operator: 'eq', value } }) as const;

export const difyConfig = group(
  ['Dify', 'Dify', 'Dify'],
  ['Answers with a Dify application.', '使用 Dify 应用回复。', 'Difyのアプリケーションで回答します。'],
  {
    'base-url': address(
      'https://api.dify.ai/v1',
      ['Address', '地址', 'アドレス'],
      [
        'Base URL of the API, including the version.',
        'API 地址，包含版本部分。',
        'バージョンまでを含むAPIのアドレスです。',
      ],
      { 'https://api.dify.ai/v1': ['Dify Cloud', 'Dify 云服务', 'Dify Cloud'] },
    ),
    'base-prompt': text(
      'Read the attached file. If it is an image, describe what it shows.',
      ['Prompt for files', '文件提示语', 'ファイル用のテキスト'],
      [
        'Used when a message has a file but no text.',
        '消息只有文件而没有文字时使用。',
        'メッセージにファイルだけがあり、本文がないときに質問として使います。',
      ],
    ),
    'app-type': choice(
      {
        chat: ['Chat', '聊天助手', 'チャット'],
        agent: ['Agent', '智能体', 'エージェント'],
        workflow: ['Workflow', '工作流', 'ワークフロー'],
      },
      'chat',
      ['Application type', '应用类型', 'アプリケーションの種類'],
      null,
    ),
    'api-key': secret('your-api-key', ['API key', 'API 密钥', 'APIキー'], null),
    timeout: decimal(30, [0, maximumTimeout], ['Timeout', '超时时间', '制限時間'], silence, optional),
  },
);

export const n8nConfig = group(
  ['n8n', 'n8n', 'n8n'],
  ['Answers with an n8n workflow.', '使用 n8n 工作流回复。', 'n8nのワークフローで回答します。'],
  {
    'webhook-url': address(
      'http://your-n8n-webhook-url',
      ['Webhook', 'Webhook 地址', 'Webhook'],
      [
        'URL of the webhook that starts the workflow.',
        '作为工作流起点的 Webhook 的地址。',
        'ワークフローの起点となるWebhookのアドレスです。',
      ],
    ),
    'auth-type': choice(
      {
        none: ['None', '无', 'なし'],
        basic: ['User name and password', '用户名和密码', 'ユーザー名とパスワード'],
        jwt: ['Signed token (JWT)', '签名令牌（JWT）', '署名付きトークン（JWT）'],
        header: ['Header', '请求头', 'ヘッダー'],
      },
      'none',
      ['Authentication', '认证方式', '認証方式'],
      ['As configured in the webhook.', '与 Webhook 的设置一致。', 'Webhookの設定に合わせます。'],
    ),
    'basic-username': text('', ['User name', '用户名', 'ユーザー名'], null, whenAuthenticatedBy('basic')),
    'basic-password': secret('', ['Password', '密码', 'パスワード'], null, whenAuthenticatedBy('basic')),
    'jwt-secret': secret(
      '',
      ['Signing secret', '签名密钥', '署名シークレット'],
      [
        'Signs the token sent with each request.',
        '用于签署每次请求所带的令牌。',
        '各呼び出しに添えるトークンの署名に使います。',
      ],
      whenAuthenticatedBy('jwt'),
    ),
    'jwt-algorithm': text(
      'HS256',
      ['Signing algorithm', '签名算法', '署名アルゴリズム'],
      ['For example HS256.', '例如 HS256。', '例：HS256'],
      {
        ...whenAuthenticatedBy('jwt'),
      },
    ),
    'header-name': text('', ['Header name', '请求头名称', 'ヘッダーの名前'], null, whenAuthenticatedBy('header')),
    'header-value': secret('', ['Header value', '请求头的值', 'ヘッダーの値'], null, whenAuthenticatedBy('header')),
    timeout: whole(120, [0, maximumTimeout], ['Timeout', '超时时间', '制限時間'], silence, optional),
    'output-key': text(
      'response',
      ['Answer field', '回复字段', '回答のフィールド'],
      [
        'Field of the workflow response that contains the text.',
        '工作流返回内容中存放文字的字段。',
        'ワークフローが返す内容のうち、テキストを含むフィールドです。',
      ],
      optional,
    ),
  },
);

export const httpConfig = group(
  ['HTTP service', 'HTTP 服务', 'HTTPサービス'],
  [
    'Answers with your own service, which receives messages as JSON.',
    '使用自建的、以 JSON 接收消息的服务回复。',
    'メッセージをJSONで受け取る自前のサービスで回答します。',
  ],
  {
    url: address(
      '',
      ['Address', '地址', 'アドレス'],
      [
        'Receives a POST request for each message.',
        '每条消息都会以 POST 请求调用。',
        'メッセージごとにPOSTで呼び出します。',
      ],
    ),
    'header-name': text(
      '',
      ['Header name', '请求头名称', 'ヘッダーの名前'],
      [
        'Sent with each request, e.g. Authorization. Optional.',
        '随每次请求发送，例如 Authorization；留空则不发送。',
        '各呼び出しに添えるヘッダーです（例：Authorization）。不要な場合は空にします。',
      ],
      optional,
    ),
    'header-value': secret('', ['Header value', '请求头的值', 'ヘッダーの値'], null, optional),
    timeout: decimal(120, [0, maximumTimeout], ['Timeout', '超时时间', '制限時間'], silence, optional),
    'send-files': flag(
      true,
      ['Include files', '发送文件内容', 'ファイルの送信'],
      [
        'Sends images, voice messages and files in base64.',
        '以 base64 附上图片、语音和文件的内容。',
        '画像、音声、ファイルをbase64で添えます。',
      ],
      optional,
    ),
  },
);

export const cozeConfig = group(
  ['Coze', '扣子', 'Coze'],
  ['Answers with a Coze bot.', '使用扣子的智能体回复。', 'Cozeのボットで回答します。'],
  {
    'api-key': secret('', ['API key', 'API 密钥', 'APIキー'], null),
    'bot-id': text('', ['Bot', '智能体 ID', 'ボット'], ['Bot ID.', '扣子中智能体的编号。', 'ボットのIDです。']),
    'api-base': address(
      'https://api.coze.cn',
      ['Address', '地址', 'アドレス'],
      [
        'Chinese and international accounts use different URLs.',
        '中国版与国际版账号的地址不同。',
        '中国版と国際版のアカウントではアドレスが異なります。',
      ],
      {
        'https://api.coze.cn': ['China (coze.cn)', '中国版（coze.cn）', '中国版（coze.cn）'],
        'https://api.coze.com': ['International (coze.com)', '国际版（coze.com）', '国際版（coze.com）'],
      },
      optional,
    ),
    'auto-save-history': flag(
      true,
      ['Store history in Coze', '保存对话历史', '履歴をCozeに保存'],
      ['Coze stores the conversation history.', '由扣子保存对话历史。', '会話をサービス側で記憶します。'],
      optional,
    ),
    timeout: decimal(
      120,
      [0, maximumTimeout],
      ['Timeout', '超时时间', '制限時間'],
      ['Seconds.', '单位为秒。', '単位は秒です。'],
      {
        ...optional,
        'x-form': 'number',
      },
    ),
  },
);

export const tboxConfig = group(
  ['Tbox', '百宝箱', 'Tbox'],
  ['Answers with a Tbox application.', '使用蚂蚁百宝箱应用回复。', 'Tboxのアプリケーションで回答します。'],
  {
    'api-key': secret('', ['API key', 'API 密钥', 'APIキー'], null),
    'app-id': text(
      '',
      ['Application', '应用 ID', 'アプリケーション'],
      ['Application ID.', '百宝箱中应用的编号。', 'アプリケーションのIDです。'],
    ),
    'base-url': address(
      'https://api.tbox.cn',
      ['Address', '地址', 'アドレス'],
      [
        'Change only if you do not use the public service.',
        '如不使用公网地址，可在此修改。',
        '公開アドレス以外を使う場合に変更します。',
      ],
      {},
      optional,
    ),
  },
);

export const dashscopeConfig = group(
  ['Alibaba Cloud Model Studio', '阿里云百炼', 'Alibaba Cloud Model Studio'],
  [
    'Answers with an Alibaba Cloud Model Studio application.',
    '使用阿里云百炼应用回复。',
    'Alibaba Cloud Model Studioのアプリケーションで回答します。',
  ],
  {
    'app-type': choice(
      { agent: ['Agent', '智能体', 'エージェント'], workflow: ['Workflow', '工作流', 'ワークフロー'] },
      'agent',
      ['Application type', '应用类型', 'アプリケーションの種類'],
      null,
    ),
    'api-key': secret('your-api-key', ['API key', 'API 密钥', 'APIキー'], null),
    'app-id': text(
      'your-app-id',
      ['Application', '应用 ID', 'アプリケーション'],
      ['Application ID.', '百炼中应用的编号。', 'アプリケーションのIDです。'],
    ),
    references_quote: text(
      '参考资料来自:',
      ['Source prefix', '引用说明', '出典の前の言葉'],
      [
        'Text before the list of source documents.',
        '写在回复所依据的资料名称之前。',
        '回答の根拠とした文書の前に付ける言葉です。',
      ],
      optional,
    ),
    'base-url': address(
      'https://dashscope.aliyuncs.com/api/v1',
      ['Address', '地址', 'アドレス'],
      [
        'Base URL of the API, including the version. Chinese and international accounts use different URLs.',
        'API 地址，包含版本部分。中国站与国际站账号的地址不同。',
        'バージョンまでを含むAPIのアドレスです。中国版と国際版のアカウントではアドレスが異なります。',
      ],
      {
        'https://dashscope.aliyuncs.com/api/v1': ['China', '中国站', '中国版'],
        'https://dashscope-intl.aliyuncs.com/api/v1': ['International', '国际站', '国際版'],
      },
      optional,
    ),
  },
);

export const langflowConfig = group(
  ['Langflow', 'Langflow', 'Langflow'],
  ['Answers with a Langflow flow.', '使用 Langflow 流程回复。', 'Langflowのフローで回答します。'],
  {
    'base-url': address(
      'http://localhost:7860',
      ['Address', '地址', 'アドレス'],
      ['URL of the server.', 'Langflow 服务器的地址。', 'サーバーのアドレスです。'],
    ),
    'api-key': secret('your-api-key', ['API key', 'API 密钥', 'APIキー'], null),
    'flow-id': text(
      'your-flow-id',
      ['Flow', '流程 ID', 'フロー'],
      ['Flow ID.', 'Langflow 中流程的编号。', 'フローのIDです。'],
    ),
    'input-type': text(
      'chat',
      ['Input type', '输入类型', '入力の種類'],
      ['As expected by the flow.', '与流程的输入一致。', 'フローの入力に合わせます。'],
      optional,
    ),
    'output-type': text(
      'chat',
      ['Output type', '输出类型', '出力の種類'],
      ['As returned by the flow.', '与流程的输出一致。', 'フローの出力に合わせます。'],
      optional,
    ),
    tweaks: text(
      '{}',
      ['Tweaks', '流程调整', 'フローの調整'],
      [
        'JSON. Overrides component settings for these requests.',
        'JSON 格式；仅对这些请求替换组件的设置。',
        'JSONで指定します。ここからの呼び出しに限り、コンポーネントの設定を置き換えます。',
      ],
      { ...optional, 'x-form': 'json' },
    ),
  },
);

export const responsesConfig = group(
  ['OpenAI Responses', 'OpenAI Responses', 'OpenAI Responses'],
  [
    'Answers with any service compatible with the OpenAI Responses API.',
    '使用任何兼容 OpenAI Responses 协议的服务回复。',
    'OpenAIのResponsesプロトコルに対応した任意のサービスで回答します。',
  ],
  {
    'base-url': address(
      'https://api.openai.com/v1',
      ['Address', '地址', 'アドレス'],
      [
        'Base URL of the API, including the version.',
        'API 地址，包含版本部分。',
        'バージョンまでを含むAPIのアドレスです。',
      ],
      { 'https://api.openai.com/v1': ['OpenAI', 'OpenAI', 'OpenAI'] },
    ),
    'api-key': secret(
      '',
      ['API key', 'API 密钥', 'APIキー'],
      [
        'Optional if the service requires no key.',
        '服务不要求密钥时可留空。',
        'サービスがキーを必要としない場合は空でかまいません。',
      ],
      optional,
    ),
    model: text(
      '',
      ['Model', '模型', 'モデル'],
      ['The model ID used by the service.', '服务中的模型名称。', 'サービス側でのモデルの名前です。'],
    ),
    instructions: text(
      '',
      ['Instructions', '指令', '指示'],
      [
        'Instructions sent to the model with each conversation.',
        '每段对话开始之前告诉模型的内容。',
        '各会話の前にモデルに伝える内容です。',
      ],
      optional,
    ),
    timeout: decimal(
      120,
      [0, maximumTimeout],
      ['Timeout', '超时时间', '制限時間'],
      [
        'Maximum seconds without a response.',
        '服务最长可以不作响应的时间，单位为秒。',
        'サービスの応答を待つ秒数です。',
      ],
      { ...optional, 'x-form': 'number' },
    ),
  },
);
