import type { ModelRequester } from '@parley/sdk';
import { createDemoModel } from './demo-model.ts';

/** A built-in demo model: no key, no network. */
export const demo: ModelRequester = {
  name: 'demo',
  label: { en_US: 'Demo', zh_Hans: '演示', ja_JP: 'デモ' },
  description: {
    en_US: 'A built-in model that needs no key and no network. It only says that it is a demo.',
    zh_Hans: '内置模型，无需密钥和网络，只会说明自己是演示。',
    ja_JP: 'キーもネットワークも不要な組み込みのモデルです。デモであることだけを答えます。',
  },
  category: 'builtin',
  support_type: ['llm'],
  default_base_url: '',
  languageModel: async (connection) => createDemoModel(connection.model_name),
};
