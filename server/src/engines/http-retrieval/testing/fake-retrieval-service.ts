import { wordsOf } from '@parley/sdk/testing';
import { type FakeService, startFakeService } from '../../../kit/services/testing/fake-service.ts';

export interface FakeRetrievalService extends FakeService {
  /** Texts by knowledge id. */
  knowledge: Map<string, readonly string[]>;
  /** Sets the records of all responses; without an argument, its own. */
  respond(records?: unknown): void;
}

/** Starts a retrieval service that scores its texts by query terms and rejects every other key. */
export async function startFakeRetrievalService(key: string): Promise<FakeRetrievalService> {
  const knowledge = new Map<string, readonly string[]>();
  let given: unknown;
  const service = await startFakeService(({ method, path, headers, json }, response) => {
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (method !== 'POST' || path !== '/v1/retrieval') return answer(404, { detail: 'Not found' });
    if (headers.authorization !== `Bearer ${key}`) {
      return answer(403, { error_code: 1002, error_msg: 'Authorization failed' });
    }
    if (given !== undefined) return answer(200, { records: given });
    const texts = knowledge.get(json.knowledge_id);
    if (texts === undefined) return answer(404, { error_code: 2001, error_msg: 'The knowledge does not exist' });
    const { top_k, score_threshold } = json.retrieval_setting;
    const words = wordsOf(json.query);
    const records = texts
      .map((content, place) => ({ content, score: shareOf(words, content), title: `text-${place}.txt`, metadata: {} }))
      .filter(({ score }) => score > 0 && score >= score_threshold)
      .sort((left, right) => right.score - left.score)
      .slice(0, top_k);
    return answer(200, { records });
  });
  return {
    ...service,
    knowledge,
    respond: (records) => {
      given = records;
    },
  };
}

function shareOf(words: readonly string[], text: string): number {
  const found = new Set(wordsOf(text));
  return words.length === 0 ? 0 : words.filter((word) => found.has(word)).length / words.length;
}
