import Type from 'typebox';
import { choice, group, i18n, notInWizard, optional, text, texts, type Words, whole } from './config-fields.ts';
import { cozeConfig, dashscopeConfig, difyConfig, langflowConfig, n8nConfig, tboxConfig } from './runner-configs.ts';

/** The runners that clients know, in the order in which they are offered. Those of extensions may be named as well. */
const runners: Record<string, Words> = {
  'local-agent': ['Built-in agent', '内置智能体'],
  'dify-service-api': ['Dify', 'Dify'],
  'n8n-service-api': ['n8n', 'n8n'],
  'coze-api': ['Coze', '扣子'],
  'tbox-app-api': ['Tbox', '百宝箱'],
  'dashscope-app-api': ['Alibaba Cloud Model Studio', '阿里云百炼'],
  'langflow-api': ['Langflow', 'Langflow'],
};

const model = Type.Object(
  {
    primary: Type.String({ default: '', maxLength: 255, description: 'uuid of the model; empty for none.' }),
    fallbacks: Type.Array(Type.String({ maxLength: 255 }), {
      default: [],
      maxItems: 20,
      description: 'Tried in this order when it fails.',
    }),
  },
  {
    default: { primary: '', fallbacks: [] },
    additionalProperties: false,
    'x-form': 'model-fallback-selector',
    'x-label': i18n(['Model', '模型']),
    description: 'The model that answers, and those that are tried when it fails.',
    'x-help': i18n([
      'The model that answers, and those that are tried when it fails.',
      '用于回复的模型，以及失败时依次尝试的备用模型。',
    ]),
  },
);

const prompt = Type.Array(
  Type.Object(
    {
      role: choice(
        { system: ['System', '系统'], user: ['Person', '用户'], assistant: ['Bot', '助手'] },
        'system',
        ['Role', '角色'],
        null,
      ),
      content: text('', ['Text', '内容'], null),
    },
    { additionalProperties: false },
  ),
  {
    default: [{ role: 'system', content: 'You are a helpful assistant.' }],
    maxItems: 100,
    'x-form': 'prompt-editor',
    'x-label': i18n(['Prompt', '提示词']),
    description: 'Said to the model before each conversation.',
    'x-help': i18n(['Said to the model before each conversation.', '每段对话开始之前告诉模型的内容。']),
  },
);

/** The tab that says who writes the answer. */
export const aiConfig = group(['AI', 'AI 能力'], ['Who writes the answer.', '由谁来回复。'], {
  runner: group(['Runner', '运行器'], ['Who writes the answer.', '由谁来回复。'], {
    runner: Type.String({
      default: 'local-agent',
      minLength: 1,
      maxLength: 255,
      'x-form': 'select',
      'x-label': i18n(['Runner', '运行器']),
      'x-options': Object.fromEntries(Object.entries(runners).map(([name, label]) => [name, i18n(label)])),
      description: 'The built-in agent, or a service elsewhere.',
      'x-help': i18n(['The built-in agent, or a service elsewhere.', '内置智能体，或外部服务。']),
    }),
  }),
  'local-agent': group(
    ['Built-in agent', '内置智能体'],
    ['Answers with a model of this system.', '使用本系统中的模型回复。'],
    {
      model,
      'max-round': whole(
        10,
        [1, 1000],
        ['Rounds of history', '历史轮数'],
        ['How many questions and answers before this one the model is told of.', '告诉模型此前多少轮问答。'],
        notInWizard,
      ),
      prompt,
      'knowledge-bases': texts(
        ['Knowledge bases', '知识库'],
        ['Searched for what may help with the answer.', '回复前从中检索相关内容。'],
        [],
        { ...optional, ...notInWizard, 'x-form': 'knowledge-base-multi-selector' },
      ),
    },
  ),
  'dify-service-api': difyConfig,
  'n8n-service-api': n8nConfig,
  'coze-api': cozeConfig,
  'tbox-app-api': tboxConfig,
  'dashscope-app-api': dashscopeConfig,
  'langflow-api': langflowConfig,
});
