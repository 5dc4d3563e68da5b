import { notInWizard, optional, texts, whole } from '@parley/sdk/fields';
import Type, { type Static } from 'typebox';

/** Settings that all runners share. Clients know them as fields of the built-in agent's group. */
export const sharedFields = Type.Object({
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
    { ...notInWizard, 'x-advanced': true },
  ),
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
  tools: texts(
    ['Tools', '工具', 'ツール'],
    [
      'Which tools of the plugins and servers on the tab “Plugins and MCP” the model may call, by name; * for all. Only for models with tool calling.',
      '模型可以调用“插件与 MCP”标签页中插件和服务器的哪些工具，填写名称；* 表示全部。仅提供给支持函数调用的模型。',
      '「プラグインとMCP」タブのプラグインとサーバーのうち、モデルが呼び出せるツールの名前です。* はすべてを表します。関数を呼び出せるモデルだけが使えます。',
    ],
    ['*'],
    { ...optional, ...notInWizard },
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
    { ...notInWizard, 'x-advanced': true },
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
    { ...notInWizard, 'x-advanced': true },
  ),
});

/** The settings that all runners share. */
export interface SharedSettings {
  /** Earlier exchanges that a runner gets: how many, and their estimated tokens (0: no limit). */
  history: { rounds: number; tokens: number };
  /** Names of the tools that may be called, `*` for all; how many at the same time, and how long each may take. */
  tools: { allowed: string[]; maximumParallel: number; timeoutMs: number };
  /** uuids. */
  knowledgeBases: string[];
}

export function readSharedSettings(fields: Static<typeof sharedFields>): SharedSettings {
  return {
    history: { rounds: fields['max-round'], tokens: fields['max-history-tokens'] },
    tools: {
      allowed: fields.tools,
      maximumParallel: fields['max-parallel-tools'],
      timeoutMs: fields['tool-timeout'] * 1000,
    },
    knowledgeBases: fields['knowledge-bases'],
  };
}
