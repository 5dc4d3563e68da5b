import { readConfig } from '@parley/sdk';
import { choice, group, i18n, notInWizard, text, whole } from '@parley/sdk/fields';
import Type, { type Static } from 'typebox';

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
    'x-before': 'max-round',
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
    'x-before': 'knowledge-bases',
    'x-label': i18n(['Prompt', '提示词', 'プロンプト']),
    description: 'System prompt and example messages, sent before the conversation.',
    'x-help': i18n([
      'System prompt and example messages, sent before the conversation.',
      '每段对话开始之前告诉模型的内容。',
      '各会話の前にモデルに伝える内容です。',
    ]),
  },
);

/** Settings of the runner: the group `ai.local-agent` of a pipeline, beside those that all runners share. */
export const localAgentConfig = group(
  ['Built-in agent', '内置智能体', '内蔵エージェント'],
  [
    'Answers with a model configured in this installation.',
    '使用本系统中的模型回复。',
    'このシステムのモデルで回答します。',
  ],
  {
    model,
    prompt,
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
      { ...notInWizard, 'x-before': 'tools' },
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
      { ...notInWizard, 'x-before': 'tools' },
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
      { ...notInWizard, 'x-advanced': true, 'x-before': 'max-parallel-tools' },
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
      { ...notInWizard, 'x-advanced': true },
    ),
  },
);
export type LocalAgentConfig = Static<typeof localAgentConfig>;

/** The settings as the agent uses them. */
export interface LocalAgentSettings {
  /** Models to try, in order, each once. Empty when none is chosen. */
  models: string[];
  knowledgeBases: string[];
  /** What queries knowledge bases: the agent with the user's message, the model through a tool, or both. */
  knowledgeMode: LocalAgentConfig['knowledge-mode'];
  /** Whether an answer cites its sources: with a list, by numbers alone, or not. */
  citations: LocalAgentConfig['citations'];
  /** How often tools may be called, several at once counted as one. */
  maximumToolSteps: number;
  /** Longest time for the whole answer, seconds. */
  maximumAnswerSeconds: number;
}

/** @param knowledgeBases the bases of the pipeline; empty entries are skipped, like those of models */
export function readLocalAgentSettings(
  config: LocalAgentConfig,
  knowledgeBases: readonly string[],
): LocalAgentSettings {
  const models = [config.model.primary, ...config.model.fallbacks].map((uuid) => uuid.trim());
  return {
    models: [...new Set(models.filter((uuid) => uuid !== ''))],
    knowledgeBases: knowledgeBases.filter((uuid) => uuid.trim() !== ''),
    knowledgeMode: config['knowledge-mode'],
    citations: config.citations,
    maximumToolSteps: config['max-tool-steps'],
    maximumAnswerSeconds: config['max-answer-seconds'],
  };
}

/** Settings to answer by a model from passages alone, which are quoted and marked. */
export function passagesOnlyConfig(modelUuid: string): LocalAgentConfig {
  return {
    ...readConfig(localAgentConfig, {}),
    model: { primary: modelUuid, fallbacks: [] },
    prompt: [],
    'knowledge-mode': 'automatic',
    citations: 'markers',
    'max-tool-steps': 0,
  };
}
