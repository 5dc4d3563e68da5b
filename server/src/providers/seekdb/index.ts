import { type ModelRequester, ParleyError } from '@parley/sdk';

const why = {
  en_US:
    'This embedding model runs inside SeekDB, a database that is no part of Parley. Use an embedding model of Ollama or LM Studio instead.',
  zh_Hans: '该嵌入模型运行在 SeekDB 数据库内部，Parley 不包含它。请改用 Ollama 或 LM Studio 的嵌入模型。',
  ja_JP:
    'この埋め込みモデルは、Parleyに含まれないデータベースSeekDBの中で動きます。代わりにOllamaまたはLM Studioの埋め込みモデルを使ってください。',
};

/** Known by name only, for clients and records of the reference system. */
export const seekDb: ModelRequester = {
  name: 'seekdb-embedding',
  label: { en_US: 'SeekDB Embedding', zh_Hans: 'SeekDB 嵌入', ja_JP: 'SeekDB埋め込み' },
  description: {
    en_US: `Not available. ${why.en_US}`,
    zh_Hans: `不可用。${why.zh_Hans}`,
    ja_JP: `使えません。${why.ja_JP}`,
  },
  category: 'builtin',
  support_type: ['text-embedding'],
  default_base_url: '',
  unavailable: why,
  embeddingModel: async () => {
    throw new ParleyError('conflict', why.en_US);
  },
};
