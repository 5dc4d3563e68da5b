import { type StemmingLanguage, stemmingLanguages } from '@parley/sdk/internal';
import Type, { type Static } from 'typebox';

const languageNames: Record<StemmingLanguage, [english: string, chinese: string, japanese: string]> = {
  english: ['English', '英语', '英語'],
  german: ['German', '德语', 'ドイツ語'],
  french: ['French', '法语', 'フランス語'],
  spanish: ['Spanish', '西班牙语', 'スペイン語'],
  portuguese: ['Portuguese', '葡萄牙语', 'ポルトガル語'],
  italian: ['Italian', '意大利语', 'イタリア語'],
  dutch: ['Dutch', '荷兰语', 'オランダ語'],
  swedish: ['Swedish', '瑞典语', 'スウェーデン語'],
  norwegian: ['Norwegian', '挪威语', 'ノルウェー語'],
  danish: ['Danish', '丹麦语', 'デンマーク語'],
  finnish: ['Finnish', '芬兰语', 'フィンランド語'],
  russian: ['Russian', '俄语', 'ロシア語'],
  turkish: ['Turkish', '土耳其语', 'トルコ語'],
  none: ['None or other', '无或其他', 'なし、またはその他'],
};

/** Settings for indexing. */
export const CreationSettings = Type.Object(
  {
    embedding_model_uuid: Type.String({
      default: '',
      maxLength: 100,
      'x-form': 'embedding-model-selector',
      'x-optional': true,
      'x-label': { en_US: 'Embedding model', zh_Hans: '嵌入模型', ja_JP: '埋め込みモデル' },
      'x-help': {
        en_US: 'Adds semantic search. Without a model, only keyword search is used.',
        zh_Hans: '同时按语义检索段落。留空则仅按关键词检索。',
        ja_JP: '箇所を意味でも検索します。選択しない場合はキーワードだけで検索します。',
      },
    }),
    chunk_size: Type.Integer({
      default: 1000,
      minimum: 200,
      maximum: 8000,
      'x-label': { en_US: 'Chunk size', zh_Hans: '分段长度', ja_JP: 'チャンクの長さ' },
      'x-help': {
        en_US: 'Maximum characters per chunk.',
        zh_Hans: '每个可独立检索的分段的最大字符数。',
        ja_JP: '1件として検索されるチャンクの最大文字数です。',
      },
    }),
    chunk_overlap: Type.Integer({
      default: 150,
      minimum: 0,
      maximum: 4000,
      'x-label': { en_US: 'Chunk overlap', zh_Hans: '分段重叠', ja_JP: 'チャンクの重なり' },
      'x-help': {
        en_US:
          'Maximum characters repeated from the end of the previous chunk, in whole sentences; at most half of the chunk size.',
        zh_Hans: '每个分段重复前一分段末尾完整句子的最大字符数，不超过分段长度的一半。',
        ja_JP: '直前のチャンクの末尾を文単位で繰り返す最大文字数です。チャンクの長さの半分までです。',
      },
    }),
    language: Type.Enum([...stemmingLanguages], {
      default: 'english',
      'x-label': { en_US: 'Language', zh_Hans: '语言', ja_JP: '言語' },
      'x-help': {
        en_US: 'Finds all word forms of this language. Chinese, Japanese and Thai always work.',
        zh_Hans: '可检索该语言单词的各种词形。无论选择哪种语言，中文、日文和泰文均可检索。',
        ja_JP:
          'この言語の単語は、語形が変わっていても見つかります。中国語、日本語、タイ語は、どの言語を選んでも検索できます。',
      },
      'x-options': Object.fromEntries(
        stemmingLanguages.map((language) => {
          const [en_US, zh_Hans, ja_JP] = languageNames[language];
          return [language, { en_US, zh_Hans, ja_JP }];
        }),
      ),
    }),
  },
  { additionalProperties: false },
);
export type CreationSettings = Static<typeof CreationSettings>;

/** Settings of a query. */
export const RetrievalSettings = Type.Object(
  {
    top_k: Type.Integer({
      default: 5,
      minimum: 1,
      maximum: 50,
      'x-label': { en_US: 'Passages', zh_Hans: '返回数量', ja_JP: '箇所の数' },
      'x-help': {
        en_US: 'Maximum number of passages.',
        zh_Hans: '最多返回的段落数。',
        ja_JP: '検索結果に含める箇所の最大数です。',
      },
    }),
    search_type: Type.Enum(['hybrid', 'keyword', 'vector'], {
      default: 'hybrid',
      'x-label': { en_US: 'Search', zh_Hans: '检索方式', ja_JP: '検索方法' },
      'x-help': {
        en_US: 'Without an embedding model, only keyword search is used.',
        zh_Hans: '未配置嵌入模型时，始终按关键词检索。',
        ja_JP: '埋め込みモデルがない場合は、常にキーワードで検索します。',
      },
      'x-options': {
        hybrid: { en_US: 'Hybrid', zh_Hans: '混合检索', ja_JP: 'ハイブリッド' },
        keyword: { en_US: 'Keyword', zh_Hans: '关键词检索', ja_JP: 'キーワード' },
        vector: { en_US: 'Semantic', zh_Hans: '向量检索', ja_JP: 'セマンティック' },
      },
    }),
    vector_weight: Type.Number({
      default: 0.5,
      minimum: 0,
      maximum: 1,
      'x-label': { en_US: 'Semantic weight', zh_Hans: '向量权重', ja_JP: 'セマンティックの重み' },
      'x-help': {
        en_US: 'Weight of semantic similarity versus keyword matches: 0 keyword only, 1 semantic only.',
        zh_Hans: '语义相似度相对关键词匹配的权重：0 表示不计，1 表示仅按语义。',
        ja_JP: 'キーワードの一致に対して意味の近さをどれだけ重視するかです。0では考慮せず、1では意味だけを使います。',
      },
      'x-show-if': { field: 'search_type', operator: 'eq', value: 'hybrid' },
    }),
    rerank_model_uuid: Type.String({
      default: '',
      maxLength: 100,
      'x-form': 'rerank-model-selector',
      'x-optional': true,
      'x-label': { en_US: 'Rerank model', zh_Hans: '重排序模型', ja_JP: 'リランクモデル' },
      'x-help': {
        en_US: 'Reorders the passages by relevance to the question.',
        zh_Hans: '按与问题的相关程度对检索结果重新排序。',
        ja_JP: '見つかった箇所を、質問との関連が高い順に並べ替えます。',
      },
    }),
    neighbours: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: 3,
      'x-label': { en_US: 'Neighbouring chunks', zh_Hans: '相邻分段', ja_JP: '前後のチャンク' },
      'x-help': {
        en_US: 'Number of chunks before and after each match to include in its passage.',
        zh_Hans: '将命中分段前后各若干个分段并入同一段落。',
        ja_JP: '見つかったチャンクの前後それぞれ何個を、同じ箇所に含めるかです。',
      },
    }),
    score_threshold: Type.Number({
      default: 0,
      minimum: 0,
      maximum: 1,
      'x-optional': true,
      'x-label': { en_US: 'Minimum score', zh_Hans: '最低得分', ja_JP: '最低スコア' },
      'x-help': {
        en_US: 'From 0 to 1. Passages below it are dropped.',
        zh_Hans:
          '低于该得分的段落将被舍弃。得分范围为 0 到 1：有重排序模型时取其得分，向量检索取余弦相似度，关键词检索取相对最佳段落的比例，混合检索按排名计算。',
        ja_JP:
          'これを下回る箇所は除かれます。スコアは0から1です。リランクモデルがあればそのスコア、意味の検索ではコサイン類似度、語句の検索では最上位の箇所に対する比率、両方の検索では順位から求めた値です。',
      },
    }),
  },
  { additionalProperties: false },
);
export type RetrievalSettings = Static<typeof RetrievalSettings>;
