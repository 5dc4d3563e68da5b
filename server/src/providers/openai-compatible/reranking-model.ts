import { InvalidResponseDataError } from '@ai-sdk/provider';
import type { ModelConnection, RerankingModel } from '@parley/sdk';
import Type from 'typebox';
import { Check } from 'typebox/value';
import { parsedJson, refusedCall } from '../../kit/model-calls/refused-call.ts';

const Ranking = Type.Object({
  results: Type.Array(Type.Object({ index: Type.Integer({ minimum: 0 }), relevance_score: Type.Number() })),
});

/**
 * A reranking model at `POST {base_url}/rerank`, the protocol of Jina, which several services share.
 * @see https://docs.newapi.pro/api/jinaai-rerank
 */
export function createRerankingModel(name: string, connection: ModelConnection): RerankingModel {
  const { model_name, api_key, extra_args, fetch } = connection;
  const url = `${connection.base_url.replace(/\/+$/, '')}/rerank`;
  return {
    specificationVersion: 'v4',
    provider: `${name}.rerank`,
    modelId: model_name,
    async doRerank({ query, documents, topN, abortSignal, headers }) {
      const texts =
        documents.type === 'text' ? documents.values : documents.values.map((value) => JSON.stringify(value));
      const body = {
        model: model_name,
        ...extra_args,
        query,
        documents: texts,
        ...(topN === undefined ? {} : { top_n: topN }),
      };
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(api_key ? { authorization: `Bearer ${api_key}` } : {}),
          ...headers,
        },
        body: JSON.stringify(body),
        ...(abortSignal === undefined ? {} : { signal: abortSignal }),
      });
      const text = await response.text();
      if (!response.ok) throw refusedCall(url, body, response, text);
      const answer = parsedJson(text);
      if (!Check(Ranking, answer)) {
        throw new InvalidResponseDataError({ data: answer, message: 'The response contains no ranking' });
      }
      return { ranking: rankingOf(answer.results, texts.length), warnings: [] };
    },
  };
}

/** Best first, as in the contract; surplus and invalid results are ignored. */
function rankingOf(results: { index: number; relevance_score: number }[], count: number) {
  const indexes = new Set(results.map(({ index }) => index));
  if (indexes.size < results.length || results.some(({ index }) => index >= count)) {
    throw new InvalidResponseDataError({ data: results, message: 'The ranking names documents that were not sent' });
  }
  return results
    .map(({ index, relevance_score }) => ({ index, relevanceScore: relevance_score }))
    .sort((left, right) => right.relevanceScore - left.relevanceScore);
}
