import { type StemmingLanguage, stemmingLanguages } from '@parley/sdk';
import Type, { type Static } from 'typebox';

const languageNames: Record<StemmingLanguage, [english: string, chinese: string]> = {
  english: ['English', '英语'],
  german: ['German', '德语'],
  french: ['French', '法语'],
  spanish: ['Spanish', '西班牙语'],
  portuguese: ['Portuguese', '葡萄牙语'],
  italian: ['Italian', '意大利语'],
  dutch: ['Dutch', '荷兰语'],
  swedish: ['Swedish', '瑞典语'],
  norwegian: ['Norwegian', '挪威语'],
  danish: ['Danish', '丹麦语'],
  finnish: ['Finnish', '芬兰语'],
  russian: ['Russian', '俄语'],
  turkish: ['Turkish', '土耳其语'],
  none: ['None or another one', '无或其他'],
};

/** What is settled when documents are stored. */
export const CreationSettings = Type.Object(
  {
    embedding_model_uuid: Type.String({
      default: '',
      maxLength: 100,
      'x-form': 'embedding-model-selector',
      'x-optional': true,
      'x-label': { en_US: 'Embedding model', zh_Hans: '嵌入模型' },
      'x-help': {
        en_US: 'Finds passages by their meaning as well. Without one they are found by their words.',
        zh_Hans: '同时按语义检索段落。留空则仅按关键词检索。',
      },
    }),
    chunk_size: Type.Integer({
      default: 1000,
      minimum: 200,
      maximum: 8000,
      'x-label': { en_US: 'Length of a chunk', zh_Hans: '分段长度' },
      'x-help': {
        en_US: 'Most characters of a piece that is found by itself.',
        zh_Hans: '每个可独立检索的分段的最大字符数。',
      },
    }),
    chunk_overlap: Type.Integer({
      default: 150,
      minimum: 0,
      maximum: 4000,
      'x-label': { en_US: 'Overlap of chunks', zh_Hans: '分段重叠' },
      'x-help': {
        en_US:
          'Most characters that a chunk repeats of the one before it, in whole sentences; at most half of its length.',
        zh_Hans: '每个分段重复前一分段末尾完整句子的最大字符数，不超过分段长度的一半。',
      },
    }),
    language: Type.Enum([...stemmingLanguages], {
      default: 'english',
      'x-label': { en_US: 'Language', zh_Hans: '语言' },
      'x-help': {
        en_US:
          'Words of this language are found in all their forms. Chinese, Japanese and Thai are found whatever it is.',
        zh_Hans: '可检索该语言单词的各种词形。无论选择哪种语言，中文、日文和泰文均可检索。',
      },
      'x-options': Object.fromEntries(
        stemmingLanguages.map((language) => {
          const [en_US, zh_Hans] = languageNames[language];
          return [language, { en_US, zh_Hans }];
        }),
      ),
    }),
  },
  { additionalProperties: false },
);
export type CreationSettings = Static<typeof CreationSettings>;

/** What may differ from question to question. */
export const RetrievalSettings = Type.Object(
  {
    top_k: Type.Integer({
      default: 5,
      minimum: 1,
      maximum: 50,
      'x-label': { en_US: 'Passages', zh_Hans: '返回数量' },
      'x-help': { en_US: 'Most passages that are found.', zh_Hans: '最多返回的段落数。' },
    }),
    search_type: Type.Enum(['hybrid', 'keyword', 'vector'], {
      default: 'hybrid',
      'x-label': { en_US: 'Search', zh_Hans: '检索方式' },
      'x-help': {
        en_US: 'Without an embedding model every search is by words.',
        zh_Hans: '未配置嵌入模型时，始终按关键词检索。',
      },
      'x-options': {
        hybrid: { en_US: 'By words and by meaning', zh_Hans: '混合检索' },
        keyword: { en_US: 'By words', zh_Hans: '关键词检索' },
        vector: { en_US: 'By meaning', zh_Hans: '向量检索' },
      },
    }),
    vector_weight: Type.Number({
      default: 0.5,
      minimum: 0,
      maximum: 1,
      'x-label': { en_US: 'Weight of the meaning', zh_Hans: '向量权重' },
      'x-help': {
        en_US: 'How much closeness in meaning counts against matching words: 0 not at all, 1 alone.',
        zh_Hans: '语义相似度相对关键词匹配的权重：0 表示不计，1 表示仅按语义。',
      },
      'x-show-if': { field: 'search_type', operator: 'eq', value: 'hybrid' },
    }),
    rerank_model_uuid: Type.String({
      default: '',
      maxLength: 100,
      'x-form': 'rerank-model-selector',
      'x-optional': true,
      'x-label': { en_US: 'Rerank model', zh_Hans: '重排序模型' },
      'x-help': {
        en_US: 'Orders what was found by how well it answers the question.',
        zh_Hans: '按与问题的相关程度对检索结果重新排序。',
      },
    }),
    neighbours: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: 3,
      'x-label': { en_US: 'Neighbouring chunks', zh_Hans: '相邻分段' },
      'x-help': {
        en_US: 'How many chunks before and after a chunk that was found belong to its passage.',
        zh_Hans: '将命中分段前后各若干个分段并入同一段落。',
      },
    }),
    score_threshold: Type.Number({
      default: 0,
      minimum: 0,
      maximum: 1,
      'x-optional': true,
      'x-label': { en_US: 'Lowest score', zh_Hans: '最低得分' },
      'x-help': {
        en_US:
          'Passages below it are left out. Scores go from 0 to 1: of a rerank model as it gives them, by meaning the cosine similarity, by words compared with the best passage, and in a search by both by the ranks.',
        zh_Hans:
          '低于该得分的段落将被舍弃。得分范围为 0 到 1：有重排序模型时取其得分，向量检索取余弦相似度，关键词检索取相对最佳段落的比例，混合检索按排名计算。',
      },
    }),
  },
  { additionalProperties: false },
);
export type RetrievalSettings = Static<typeof RetrievalSettings>;
