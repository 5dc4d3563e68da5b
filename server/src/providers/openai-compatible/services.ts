import type { ModelRequester } from '@parley/sdk';

/** One service: the differences between providers that share the protocol. */
export type OpenAiCompatibleService = Pick<
  ModelRequester,
  'name' | 'label' | 'brand' | 'category' | 'support_type' | 'default_base_url'
> & {
  /** Streams end with the usage without `stream_options`, which is rejected. */
  countsUnasked?: boolean;
};

/** Name, English label, supported kinds, default URL, Chinese label if it has one. */
type Row = [string, string, ModelRequester['support_type'], string, string?];

const chat: ModelRequester['support_type'] = ['llm'];
const chatAndEmbedding: ModelRequester['support_type'] = ['llm', 'text-embedding'];
// Only where the service documents `POST {base_url}/rerank` in the form that reranking-model.ts speaks.
const chatAndRerank: ModelRequester['support_type'] = ['llm', 'rerank'];
const everyKind: ModelRequester['support_type'] = ['llm', 'text-embedding', 'rerank'];
const embeddingAndRerank: ModelRequester['support_type'] = ['text-embedding', 'rerank'];

const manufacturer: Row[] = [
  ['openai-chat-completions', 'OpenAI', chatAndEmbedding, 'https://api.openai.com/v1'],
  ['gemini-chat-completions', 'Google Gemini', chat, 'https://generativelanguage.googleapis.com/v1beta/openai'],
  ['deepseek-chat-completions', 'DeepSeek', chat, 'https://api.deepseek.com', '深度求索'],
  ['moonshot-chat-completions', 'Moonshot', chat, 'https://api.moonshot.ai/v1', '月之暗面'],
  ['xai-chat-completions', 'xAI', chat, 'https://api.x.ai/v1'],
  ['zhipuai-chat-completions', 'ZhipuAI', chatAndRerank, 'https://open.bigmodel.cn/api/paas/v4', '智谱 AI'],
  ['mistral-chat-completions', 'Mistral', chatAndEmbedding, 'https://api.mistral.ai/v1'],
  ['jina', 'Jina AI', embeddingAndRerank, 'https://api.jina.ai/v1'],
];

const maas: Row[] = [
  [
    'bailian-chat-completions',
    'Aliyun Bailian',
    chat,
    'https://dashscope.aliyuncs.com/compatible-mode/v1',
    '阿里云百炼',
  ],
  ['modelscope-chat-completions', 'ModelScope', chat, 'https://api-inference.modelscope.cn/v1', '魔搭社区'],
  ['volcark-chat-completions', 'Volc Engine Ark', chat, 'https://ark.cn-beijing.volces.com/api/v3', '火山方舟'],
  ['compshare-chat-completions', 'CompShare', chat, 'https://api.modelverse.cn/v1', '优云智算'],
  ['302-ai-chat-completions', '302.AI', chatAndEmbedding, 'https://api.302.ai/v1'],
  ['gitee-ai-chat-completions', 'Gitee AI', chatAndEmbedding, 'https://ai.gitee.com/v1'],
  ['jiekouai-chat-completions', 'JieKou AI', chatAndEmbedding, 'https://api.jiekou.ai/openai', '接口 AI'],
  ['ppio-chat-completions', 'ppio', chatAndEmbedding, 'https://api.ppinfra.com/v3/openai', '派欧云'],
  ['qhaigc-chat-completions', 'QH AI', chatAndEmbedding, 'https://api.qhaigc.net/v1', '启航 AI'],
  [
    'shengsuanyun-chat-completions',
    'ShengSuanYun',
    chatAndEmbedding,
    'https://router.shengsuanyun.com/api/v1',
    '胜算云',
  ],
  ['siliconflow-chat-completions', 'SiliconFlow', everyKind, 'https://api.siliconflow.cn/v1', '硅基流动'],
  ['openrouter-chat-completions', 'OpenRouter', everyKind, 'https://openrouter.ai/api/v1'],
  ['new-api-chat-completions', 'New API', everyKind, 'http://localhost:3000/v1'],
  ['tokenpony-chat-completions', 'TokenPony', chatAndEmbedding, 'https://api.tokenpony.cn/v1', '小马算力'],
  ['groq-chat-completions', 'Groq', chat, 'https://api.groq.com/openai/v1'],
  ['together-chat-completions', 'Together AI', everyKind, 'https://api.together.xyz/v1'],
  ['space-chat-completions', 'Space', chatAndEmbedding, 'https://api.langbot.cloud/v1'],
];

const selfHosted: Row[] = [['lmstudio-chat-completions', 'LM Studio', chatAndEmbedding, 'http://127.0.0.1:1234/v1']];

/** @see https://docs.mistral.ai/api for the fields it takes; it refuses every other one. */
const countingUnasked = new Set(['mistral-chat-completions']);

/** Services whose brand is in Simple Icons. */
const brands: Readonly<Record<string, string>> = {
  'gemini-chat-completions': 'googlegemini',
  'deepseek-chat-completions': 'deepseek',
  'moonshot-chat-completions': 'moonshotai',
  'mistral-chat-completions': 'mistralai',
  'bailian-chat-completions': 'alibabacloud',
  'modelscope-chat-completions': 'modelscope',
  'gitee-ai-chat-completions': 'gitee',
  'openrouter-chat-completions': 'openrouter',
  'new-api-chat-completions': 'newapi',
  'lmstudio-chat-completions': 'lmstudio',
};

/** The services by kind; a new one is one row above. */
export const services: OpenAiCompatibleService[] = [
  ...rows('manufacturer', manufacturer),
  ...rows('maas', maas),
  ...rows('self-hosted', selfHosted),
];

function rows(category: ModelRequester['category'], entries: Row[]): OpenAiCompatibleService[] {
  return entries.map(([name, label, support_type, default_base_url, chineseLabel]) => ({
    name,
    label: { en_US: label, ...(chineseLabel === undefined ? {} : { zh_Hans: chineseLabel, ja_JP: label }) },
    category,
    support_type,
    default_base_url,
    ...(brands[name] !== undefined && { brand: brands[name] }),
    ...(countingUnasked.has(name) && { countsUnasked: true }),
  }));
}
