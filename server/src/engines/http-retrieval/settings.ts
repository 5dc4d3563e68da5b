import { Address, Secret } from '@parley/sdk';
import Type, { type Static } from 'typebox';

/** Location of the service, and the id of its knowledge base. */
export const CreationSettings = Type.Object(
  {
    address: Address({
      default: '',
      'x-label': { en_US: 'Address', zh_Hans: '服务地址', ja_JP: 'アドレス' },
      'x-help': {
        en_US: 'URL of the retrieval service. `/retrieval` is appended if missing.',
        zh_Hans: '检索服务的地址；若不以 `/retrieval` 结尾则自动追加。',
        ja_JP: '検索サービスのアドレスです。末尾が `/retrieval` でない場合は自動で追加されます。',
      },
    }),
    api_key: Secret({
      default: '',
      'x-optional': true,
      'x-label': { en_US: 'API key', zh_Hans: 'API 密钥', ja_JP: 'APIキー' },
      'x-help': {
        en_US: 'Sent with every request as a bearer token. Optional.',
        zh_Hans: '作为 Bearer 令牌随每个请求发送；服务无需密钥时留空。',
        ja_JP: 'すべてのリクエストにBearerトークンとして添えます。キーが不要なサービスでは空のままにします。',
      },
    }),
    knowledge_id: Type.String({
      default: '',
      maxLength: 1000,
      'x-label': { en_US: 'Knowledge ID', zh_Hans: '知识库 ID', ja_JP: 'ナレッジID' },
      'x-help': {
        en_US: 'ID of the knowledge in the service.',
        zh_Hans: '外部服务中要检索的知识库标识。',
        ja_JP: '検索するナレッジの、サービス側でのIDです。',
      },
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
    score_threshold: Type.Number({
      default: 0,
      minimum: 0,
      maximum: 1,
      'x-optional': true,
      'x-label': { en_US: 'Minimum score', zh_Hans: '最低得分', ja_JP: '最低スコア' },
      'x-help': {
        en_US: 'Passages with a lower score from the service are dropped.',
        zh_Hans: '服务给出的得分低于该值的段落将被舍弃。',
        ja_JP: 'サービスが付けたスコアがこれを下回る箇所は除かれます。',
      },
    }),
    timeout: Type.Integer({
      default: 15,
      minimum: 1,
      maximum: 60,
      'x-label': { en_US: 'Timeout (s)', zh_Hans: '超时时间（秒）', ja_JP: '制限時間（秒）' },
      'x-help': {
        en_US: 'Maximum response time of the service.',
        zh_Hans: '等待服务响应的最长时间。',
        ja_JP: 'サービスの応答を待つ最長時間です。',
      },
    }),
  },
  { additionalProperties: false },
);
export type RetrievalSettings = Static<typeof RetrievalSettings>;
