import Type from 'typebox';
import { choice, group, i18n, notInWizard, optional, text, texts, type Words, whole } from './config-fields.ts';
import {
  cozeConfig,
  dashscopeConfig,
  difyConfig,
  httpConfig,
  langflowConfig,
  n8nConfig,
  responsesConfig,
  tboxConfig,
} from './runner-configs.ts';

/** The runners that clients know, in the order in which they are offered. Those of extensions may be named as well. */
const runners: Record<string, Words> = {
  'local-agent': ['Built-in agent', '内置智能体', '内蔵エージェント'],
  'dify-service-api': ['Dify', 'Dify', 'Dify'],
  'n8n-service-api': ['n8n', 'n8n', 'n8n'],
  'coze-api': ['Coze', '扣子', 'Coze'],
  'tbox-app-api': ['Tbox', '百宝箱', 'Tbox'],
  'dashscope-app-api': ['Alibaba Cloud Model Studio', '阿里云百炼', 'Alibaba Cloud Model Studio'],
  'langflow-api': ['Langflow', 'Langflow', 'Langflow'],
  'openai-responses': ['OpenAI Responses', 'OpenAI Responses', 'OpenAI Responses'],
  'http-api': ['HTTP service', 'HTTP 服务', 'HTTPサービス'],
};

const model = Type.Object(
  {
    primary: Type.String({ default: '', maxLength: 255, description: 'uuid of the model; empty for none.' }),
    fallbacks: Type.Array(Type.String({ maxLength: 255 }), {
      default: [],
      maxItems: 20,
      description: 'Fallback models, in order.',
    }),
  },
  {
    default: { primary: '', fallbacks: [] },
    additionalProperties: false,
    'x-form': 'model-fallback-selector',
    'x-label': i18n(['Model', '模型', 'モデル']),
    description: 'The model that generates answers, and its fallbacks in order.',
    'x-help': i18n([
      'The model that generates answers, and its fallbacks in order.',
      '用于回复的模型，以及失败时依次尝试的备用模型。',
      '回答するモデルと、失敗したときに順に試すモデルです。',
    ]),
  },
);

const prompt = Type.Array(
  Type.Object(
    {
      role: choice(
        {
          system: ['System', '系统', 'システム'],
          user: ['Person', '用户', 'ユーザー'],
          assistant: ['Bot', '助手', 'ボット'],
        },
        'system',
        ['Role', '角色', '役割'],
        null,
      ),
      content: text('', ['Text', '内容', 'テキスト'], null),
    },
    { additionalProperties: false },
  ),
  {
    default: [{ role: 'system', content: 'You are a helpful assistant.' }],
    maxItems: 100,
    'x-form': 'prompt-editor',
    'x-label': i18n(['Prompt', '提示词', 'プロンプト']),
    description: 'System prompt and example messages, sent before the conversation.',
    'x-help': i18n([
      'System prompt and example messages, sent before the conversation.',
      '每段对话开始之前告诉模型的内容。',
      '各会話の前にモデルに伝える内容です。',
    ]),
  },
);

/** The tab for the runner. */
export const aiConfig = group(
  ['AI', 'AI 能力', 'AI'],
  ['What generates the answer.', '由谁来回复。', 'だれが回答を書くかを決めます。'],
  {
    runner: group(
      ['Runner', '运行器', 'ランナー'],
      ['What generates the answer.', '由谁来回复。', 'だれが回答を書くかを決めます。'],
      {
        runner: Type.String({
          default: 'local-agent',
          minLength: 1,
          maxLength: 255,
          'x-form': 'select',
          'x-label': i18n(['Runner', '运行器', 'ランナー']),
          'x-options': Object.fromEntries(Object.entries(runners).map(([name, label]) => [name, i18n(label)])),
          description: 'The built-in agent or an external service.',
          'x-help': i18n([
            'The built-in agent or an external service.',
            '内置智能体，或外部服务。',
            '内蔵エージェント、または外部のサービスです。',
          ]),
        }),
      },
    ),
    'local-agent': group(
      ['Built-in agent', '内置智能体', '内蔵エージェント'],
      [
        'Answers with a model configured in this installation.',
        '使用本系统中的模型回复。',
        'このシステムのモデルで回答します。',
      ],
      {
        model,
        'max-round': whole(
          10,
          [1, 1000],
          ['History rounds', '历史轮数', '履歴の往復数'],
          [
            'Number of previous exchanges sent to the model.',
            '告诉模型此前多少轮问答。',
            'これまでの質問と回答を、何往復分モデルに伝えるかです。',
          ],
          notInWizard,
        ),
        'max-history-tokens': whole(
          16_000,
          [0, 10_000_000],
          ['History length', '历史长度上限', '履歴の長さ'],
          [
            'Estimated tokens. Older exchanges beyond it are dropped. 0: limited by history rounds only.',
            '按估算的词元（token）数计；超出时从最早的轮次开始省略。0 表示只受历史轮数限制。',
            '推定トークン数です。超えた分は古い往復から省きます。0の場合は往復数だけで制限します。',
          ],
          notInWizard,
        ),
        prompt,
        'knowledge-bases': texts(
          ['Knowledge bases', '知识库', 'ナレッジベース'],
          [
            'Searched for passages relevant to the answer.',
            '回复前从中检索相关内容。',
            '回答に役立つ内容をここから検索します。',
          ],
          [],
          { ...optional, ...notInWizard, 'x-form': 'knowledge-base-multi-selector' },
        ),
        'knowledge-mode': choice(
          {
            automatic: ['Before each answer', '每次回复前', '回答のたび'],
            tool: ['By tool call', '由模型决定', 'モデルが求めたとき'],
            both: ['Both', '两者兼用', '両方'],
          },
          'automatic',
          ['Knowledge search', '知识库检索方式', 'ナレッジベースの検索'],
          [
            'Search with the text of the message before each answer, let the model search with a tool, or both. Models without tool calling always use the first.',
            '每次回复前用用户的原话检索，或由模型通过工具自行检索，或两者兼用。不支持函数调用的模型始终使用第一种方式。',
            '回答のたびに利用者の言葉で検索するか、モデルにツールで検索させるか、その両方を行うかを選びます。関数を呼び出せないモデルでは、常に利用者の言葉で検索します。',
          ],
          notInWizard,
        ),
        citations: choice(
          {
            list: ['Numbers and source list', '编号和来源列表', '番号と出典の一覧'],
            markers: ['Numbers only', '仅编号', '番号のみ'],
            off: ['Off', '关闭', 'オフ'],
          },
          'list',
          ['Citations', '引用', '引用'],
          [
            'Whether answers cite the passages they are based on. Quotes are verified, and citations without a matching passage are removed.',
            '回复是否标明所依据的知识库段落。引文会经过核对，原文中不存在的引用会被去除。',
            '回答の根拠としたナレッジベースの箇所を示すかどうかです。引用は照合され、該当する箇所のないものは取り除かれます。',
          ],
          notInWizard,
        ),
        tools: texts(
          ['Tools', '工具', 'ツール'],
          [
            'Names of the tools the model may call; * for all. Only for models with tool calling.',
            '允许模型调用的工具的名称；* 表示全部。仅提供给支持函数调用的模型。',
            'モデルが呼び出せるツールの名前です。* はすべてを表します。関数を呼び出せるモデルだけが使えます。',
          ],
          ['*'],
          { ...optional, ...notInWizard },
        ),
        'max-tool-steps': whole(
          8,
          [0, 100],
          ['Tool-call rounds', '工具调用轮数上限', 'ツール呼び出しの回数'],
          [
            'Maximum rounds of tool calls per answer; after that the model answers without tools. 0: no tools.',
            '一次回复中最多允许调用工具的轮数，用完后模型须直接回答。0 表示不使用工具。',
            '1つの回答でモデルがツールを呼び出せる回数です。使い切ると、それまでにわかったことで回答します。0の場合はツールを使いません。',
          ],
          notInWizard,
        ),
        'max-parallel-tools': whole(
          4,
          [1, 32],
          ['Parallel tool calls', '同时调用的工具数', 'ツールの同時呼び出し数'],
          [
            'Maximum number of tools running at the same time for one answer.',
            '一次回复中最多同时运行多少个工具。',
            '1つの回答で同時に待つことができるツールの数です。',
          ],
          notInWizard,
        ),
        'tool-timeout': whole(
          60,
          [1, 3600],
          ['Tool timeout', '工具超时时间', 'ツールの制限時間'],
          [
            'Seconds. After that the model receives a timeout error.',
            '单位为秒；超时后模型会得知该工具没有响应。',
            '単位は秒です。過ぎると、ツールが応答しなかったことをモデルに伝えます。',
          ],
          notInWizard,
        ),
        'max-answer-seconds': whole(
          300,
          [1, 86_400],
          ['Answer timeout', '回复超时时间', '回答の制限時間'],
          [
            'Seconds for the whole answer, including all model and tool calls.',
            '单位为秒；整个回复的时间，包含其中所有模型和工具的用时。',
            '単位は秒です。すべてのモデルとツールを含む、回答全体の時間です。',
          ],
          notInWizard,
        ),
      },
    ),
    'dify-service-api': difyConfig,
    'n8n-service-api': n8nConfig,
    'coze-api': cozeConfig,
    'tbox-app-api': tboxConfig,
    'dashscope-app-api': dashscopeConfig,
    'langflow-api': langflowConfig,
    'openai-responses': responsesConfig,
    'http-api': httpConfig,
  },
  // Settings of runners that are not installed are preserved.
  { additionalProperties: Type.Object({}, { additionalProperties: true }), maxProperties: 100 },
);
