import { address, choice, decimal, flag, group, optional, secret, text, type Words, whole } from './config-fields.ts';

/*
 * The groups of runners that hand a message on to a service elsewhere, by the name of the runner. Clients show the
 * group whose name is the chosen runner's.
 */

/** Longest wait for a service, seconds. */
const maximumTimeout = 86_400;

const silence: Words = [
  'Seconds that the service may stay silent; 0 for 120.',
  '服务最长可以不作响应的时间，单位为秒；0 表示 120 秒。',
];

const whenAuthenticatedBy = (value: string) =>
  ({ ...optional, 'x-show-if': { field: 'auth-type', operator: 'eq', value } }) as const;

export const difyConfig = group(['Dify', 'Dify'], ['Answers with an application of Dify.', '使用 Dify 应用回复。'], {
  'base-url': address(
    'https://api.dify.ai/v1',
    ['Address', '地址'],
    ['Address of the API, up to and with the version.', 'API 地址，包含版本部分。'],
    { 'https://api.dify.ai/v1': ['Dify Cloud', 'Dify 云服务'] },
  ),
  'base-prompt': text(
    'Read the attached file. If it is an image, describe what it shows.',
    ['Text for files', '文件提示语'],
    ['Asked when a message has a file and no text.', '消息只有文件而没有文字时使用。'],
  ),
  'app-type': choice(
    { chat: ['Chat', '聊天助手'], agent: ['Agent', '智能体'], workflow: ['Workflow', '工作流'] },
    'chat',
    ['Kind of application', '应用类型'],
    null,
  ),
  'api-key': secret('your-api-key', ['API key', 'API 密钥'], null),
  timeout: decimal(30, [0, maximumTimeout], ['Time limit', '超时时间'], silence, optional),
});

export const n8nConfig = group(['n8n', 'n8n'], ['Answers with a workflow of n8n.', '使用 n8n 工作流回复。'], {
  'webhook-url': address(
    'http://your-n8n-webhook-url',
    ['Webhook', 'Webhook 地址'],
    ['Address of the webhook that the workflow begins with.', '作为工作流起点的 Webhook 的地址。'],
  ),
  'auth-type': choice(
    {
      none: ['None', '无'],
      basic: ['User name and password', '用户名和密码'],
      jwt: ['Signed token (JWT)', '签名令牌（JWT）'],
      header: ['Header', '请求头'],
    },
    'none',
    ['Authentication', '认证方式'],
    ['As the webhook is set up to ask for it.', '与 Webhook 的设置一致。'],
  ),
  'basic-username': text('', ['User name', '用户名'], null, whenAuthenticatedBy('basic')),
  'basic-password': secret('', ['Password', '密码'], null, whenAuthenticatedBy('basic')),
  'jwt-secret': secret(
    '',
    ['Signing secret', '签名密钥'],
    ['Signs the token that goes with each call.', '用于签署每次请求所带的令牌。'],
    whenAuthenticatedBy('jwt'),
  ),
  'jwt-algorithm': text('HS256', ['Signing algorithm', '签名算法'], ['Such as HS256.', '例如 HS256。'], {
    ...whenAuthenticatedBy('jwt'),
  }),
  'header-name': text('', ['Name of the header', '请求头名称'], null, whenAuthenticatedBy('header')),
  'header-value': secret('', ['Value of the header', '请求头的值'], null, whenAuthenticatedBy('header')),
  timeout: whole(120, [0, maximumTimeout], ['Time limit', '超时时间'], silence, optional),
  'output-key': text(
    'response',
    ['Field of the answer', '回复字段'],
    ['Field of what the workflow returns that holds the text.', '工作流返回内容中存放文字的字段。'],
    optional,
  ),
});

export const httpConfig = group(
  ['HTTP service', 'HTTP 服务'],
  ['Answers with a service of your own that takes a message as JSON.', '使用自建的、以 JSON 接收消息的服务回复。'],
  {
    url: address('', ['Address', '地址'], ['Called with POST for each message.', '每条消息都会以 POST 请求调用。']),
    'header-name': text(
      '',
      ['Name of the header', '请求头名称'],
      [
        'Sent with each call, such as Authorization. Empty for none.',
        '随每次请求发送，例如 Authorization；留空则不发送。',
      ],
      optional,
    ),
    'header-value': secret('', ['Value of the header', '请求头的值'], null, optional),
    timeout: decimal(120, [0, maximumTimeout], ['Time limit', '超时时间'], silence, optional),
    'send-files': flag(
      true,
      ['Send files along', '发送文件内容'],
      ['Pictures, voices and files go along, in base64.', '以 base64 附上图片、语音和文件的内容。'],
      optional,
    ),
  },
);

export const cozeConfig = group(['Coze', '扣子'], ['Answers with a bot of Coze.', '使用扣子的智能体回复。'], {
  'api-key': secret('', ['API key', 'API 密钥'], null),
  'bot-id': text('', ['Bot', '智能体 ID'], ['Identifier of the bot.', '扣子中智能体的编号。']),
  'api-base': address(
    'https://api.coze.cn',
    ['Address', '地址'],
    ['Accounts of China and of elsewhere have different addresses.', '中国版与国际版账号的地址不同。'],
    {
      'https://api.coze.cn': ['China (coze.cn)', '中国版（coze.cn）'],
      'https://api.coze.com': ['International (coze.com)', '国际版（coze.com）'],
    },
    optional,
  ),
  'auto-save-history': flag(
    true,
    ['Keep the history there', '保存对话历史'],
    ['The service remembers the conversation.', '由扣子保存对话历史。'],
    optional,
  ),
  timeout: decimal(120, [0, maximumTimeout], ['Time limit', '超时时间'], ['Seconds.', '单位为秒。'], {
    ...optional,
    'x-form': 'number',
  }),
});

export const tboxConfig = group(
  ['Tbox', '百宝箱'],
  ['Answers with an application of Tbox.', '使用蚂蚁百宝箱应用回复。'],
  {
    'api-key': secret('', ['API key', 'API 密钥'], null),
    'app-id': text('', ['Application', '应用 ID'], ['Identifier of the application.', '百宝箱中应用的编号。']),
    'base-url': address(
      'https://api.tbox.cn',
      ['Address', '地址'],
      ['Another address than the public one.', '如不使用公网地址，可在此修改。'],
      {},
      optional,
    ),
  },
);

export const dashscopeConfig = group(
  ['Alibaba Cloud Model Studio', '阿里云百炼'],
  ['Answers with an application of Alibaba Cloud Model Studio.', '使用阿里云百炼应用回复。'],
  {
    'app-type': choice(
      { agent: ['Agent', '智能体'], workflow: ['Workflow', '工作流'] },
      'agent',
      ['Kind of application', '应用类型'],
      null,
    ),
    'api-key': secret('your-api-key', ['API key', 'API 密钥'], null),
    'app-id': text('your-app-id', ['Application', '应用 ID'], ['Identifier of the application.', '百炼中应用的编号。']),
    references_quote: text(
      '参考资料来自:',
      ['Words before sources', '引用说明'],
      ['Said before the documents that an answer is based on.', '写在回复所依据的资料名称之前。'],
      optional,
    ),
    'base-url': address(
      'https://dashscope.aliyuncs.com/api/v1',
      ['Address', '地址'],
      [
        'Address of the API, up to and with the version. Accounts of China and of elsewhere have different addresses.',
        'API 地址，包含版本部分。中国站与国际站账号的地址不同。',
      ],
      {
        'https://dashscope.aliyuncs.com/api/v1': ['China', '中国站'],
        'https://dashscope-intl.aliyuncs.com/api/v1': ['International', '国际站'],
      },
      optional,
    ),
  },
);

export const langflowConfig = group(
  ['Langflow', 'Langflow'],
  ['Answers with a flow of Langflow.', '使用 Langflow 流程回复。'],
  {
    'base-url': address(
      'http://localhost:7860',
      ['Address', '地址'],
      ['Address of the server.', 'Langflow 服务器的地址。'],
    ),
    'api-key': secret('your-api-key', ['API key', 'API 密钥'], null),
    'flow-id': text('your-flow-id', ['Flow', '流程 ID'], ['Identifier of the flow.', 'Langflow 中流程的编号。']),
    'input-type': text(
      'chat',
      ['Kind of input', '输入类型'],
      ['As the flow expects it.', '与流程的输入一致。'],
      optional,
    ),
    'output-type': text(
      'chat',
      ['Kind of output', '输出类型'],
      ['As the flow returns it.', '与流程的输出一致。'],
      optional,
    ),
    tweaks: text(
      '{}',
      ['Changes to the flow', '流程调整'],
      ['JSON; replaces settings of components for these calls.', 'JSON 格式；仅对这些请求替换组件的设置。'],
      { ...optional, 'x-form': 'json' },
    ),
  },
);

export const responsesConfig = group(
  ['OpenAI Responses', 'OpenAI Responses'],
  [
    'Answers with any service that speaks the Responses protocol of OpenAI.',
    '使用任何兼容 OpenAI Responses 协议的服务回复。',
  ],
  {
    'base-url': address(
      'https://api.openai.com/v1',
      ['Address', '地址'],
      ['Address of the API, up to and with the version.', 'API 地址，包含版本部分。'],
      { 'https://api.openai.com/v1': ['OpenAI', 'OpenAI'] },
    ),
    'api-key': secret(
      '',
      ['API key', 'API 密钥'],
      ['May be empty where the service asks for none.', '服务不要求密钥时可留空。'],
      optional,
    ),
    model: text('', ['Model', '模型'], ['What the service calls it.', '服务中的模型名称。']),
    instructions: text(
      '',
      ['Instructions', '指令'],
      ['Said to the model before each conversation.', '每段对话开始之前告诉模型的内容。'],
      optional,
    ),
    timeout: decimal(
      120,
      [0, maximumTimeout],
      ['Time limit', '超时时间'],
      ['Seconds that the service may stay silent.', '服务最长可以不作响应的时间，单位为秒。'],
      { ...optional, 'x-form': 'number' },
    ),
  },
);
