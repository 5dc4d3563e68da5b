import { ParleyError, type RetrievedPassage } from '@parley/sdk';
import { type FakeLanguageModel, fakeLanguageModel, openedModel, silentLogger } from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import { passagesOnlyConfig } from '../../runners/local-agent/config.ts';
import { createLocalAgent } from '../../runners/local-agent/index.ts';
import type { KnowledgeBaseView } from './knowledge-base.ts';
import { answerQuestions } from './question-answerer.ts';

const passage: RetrievedPassage = {
  id: 'chunk-1',
  text: 'A cat has nine lives, they say.',
  distance: 0.1,
  score: 1,
  legs: {},
  metadata: {},
  source: {
    document_id: 'document-1',
    file_id: 'file-1',
    file_name: 'cats.md',
    page: null,
    page_end: null,
    heading_path: [],
    start: 0,
    end: 31,
  },
};

describe('an answer to a golden question', () => {
  const queries: unknown[] = [];
  const answering = (model: FakeLanguageModel, retrieve = async () => [passage]) =>
    answerQuestions({
      runner: createLocalAgent({ maximumRetries: 0 }),
      settings: passagesOnlyConfig,
      openModel: async (uuid) => openedModel(uuid, model),
      bases: { get: async (uuid) => ({ uuid, name: 'Cats' }) as KnowledgeBaseView },
      retrieval: {
        retrieve: (base, question, { collection_id }) => {
          queries.push({ base, question, collection_id });
          return retrieve();
        },
      },
      fetch: () => Promise.reject(new Error('must not be fetched')),
      logger: silentLogger,
    });
  const saying = (text: string) => fakeLanguageModel({ chunks: [text] });
  const signal = new AbortController().signal;

  it('is written from the collection, and cites it', async () => {
    const model = saying('Nine [1: "nine lives"]. Or ten [2: "ten lives"].');
    const answer = answering(model);
    const { passages, ...rest } = await answer('base-1', 'collection-1', 'model-1', 'How many lives?', signal);
    expect(queries).toEqual([{ base: 'base-1', question: 'How many lives?', collection_id: 'collection-1' }]);
    expect(JSON.stringify(model.calls[0]?.prompt)).toContain('A cat has nine lives');
    expect(rest).toEqual({
      text: 'Nine [1]. Or ten.',
      citations: [
        {
          number: 1,
          knowledge_base_uuid: 'base-1',
          chunk_id: 'chunk-1',
          quote: 'nine lives',
          source: { ...passage.source, start: 10, end: 20 },
        },
      ],
      dropped: 1,
    });
    expect([...passages]).toEqual([['chunk-1', passage.text]]);
  });

  it('is none when the collection cannot be searched', async () => {
    const failure = new ParleyError('provider_timeout', 'The embedding model is slow');
    const answer = answering(saying('I do not know.'), () => Promise.reject(failure));
    await expect(answer('base-1', 'collection-1', 'model-1', 'How many?', signal)).rejects.toBe(failure);
  });

  it('stops when it is cancelled', async () => {
    const controller = new AbortController();
    controller.abort(new Error('stopped'));
    await expect(answering(saying('x'))('base-1', 'collection-1', 'model-1', 'Q', controller.signal)).rejects.toThrow(
      'stopped',
    );
  });
});
