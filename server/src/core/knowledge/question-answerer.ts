import {
  type Citation,
  type CitationReport,
  type KnowledgePassage,
  type Logger,
  ParleyError,
  type PipelineMessage,
  type Runner,
  type RunnerContext,
} from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { StoredKnowledgeBase } from './knowledge-base.ts';
import type { RetrievalService } from './retrieval-service.ts';

/** The answer of a model to a golden question. */
export interface QuestionAnswer {
  text: string;
  citations: Citation[];
  /** Citations removed from the answer because they name no passage. */
  dropped: number;
  /** Texts of the passages that the model was shown, by their chunks' ids. */
  passages: ReadonlyMap<string, string>;
}

/**
 * Lets a model answer a question from a collection, as a pipeline with the built-in agent would.
 * @throws ParleyError why it failed, or the signal's reason when it is aborted
 */
export type AnswerQuestion = (
  baseUuid: string,
  collectionId: string,
  modelUuid: string,
  question: string,
  signal: AbortSignal,
) => Promise<QuestionAnswer>;

export interface AnswerQuestionParts {
  /** Writes the answers. */
  runner: Runner;
  /** Settings with which it answers by a model from passages alone, and marks what it quotes. */
  settings: (modelUuid: string) => Record<string, unknown>;
  openModel: RunnerContext['openModel'];
  bases: { get(uuid: string): Promise<Pick<StoredKnowledgeBase, 'name'>> };
  retrieval: Pick<RetrievalService, 'retrieve'>;
  fetch: typeof globalThis.fetch;
  logger: Logger;
}

/** Generates an answer as in a new conversation, from one collection alone. */
export function answerQuestions({
  runner,
  settings,
  openModel,
  bases,
  retrieval,
  fetch,
  logger,
}: AnswerQuestionParts): AnswerQuestion {
  return async (baseUuid, collectionId, modelUuid, question, signal) => {
    const base = await bases.get(baseUuid);
    const passages = new Map<string, string>();
    let failure: unknown = null;
    const context: RunnerContext = {
      openModel,
      retrieve: async (_bases, query, ending) => {
        try {
          const found = await retrieval.retrieve(baseUuid, query, { collection_id: collectionId, signal: ending });
          for (const { id, text } of found) passages.set(id, text);
          const ofBase = { knowledge_base_uuid: baseUuid, knowledge_base_name: base.name };
          return { passages: found.map((passage): KnowledgePassage => ({ ...passage, ...ofBase })), failures: [] };
        } catch (error) {
          // The agent would answer without passages; that would be measured as if the search had found none.
          failure = error;
          throw error;
        }
      },
      tools: { list: async () => [], call: async () => ({ text: 'err: there are no tools', failed: true }) },
      readMedia: () => Promise.reject(new ParleyError('not_found', 'A golden question has no files')),
      memory: { read: async () => null, write: async () => undefined },
      fetch,
      logger,
    };
    let text = '';
    let report: CitationReport = { citations: [], dropped: 0 };
    const request = {
      config: settings(modelUuid),
      message: messageOf(question),
      prompt: [],
      history: [],
      knowledge_bases: [baseUuid],
      text: question,
      variables: {},
      signal,
      message_chain: [{ type: 'Plain' as const, text: question }],
    };
    for await (const delta of runner.answer(request, context)) {
      if (delta.type === 'text') text += delta.text;
      if (delta.type === 'citations') report = delta.report;
    }
    if (failure !== null) throw failure;
    return { text, ...report, passages };
  };
}

/** The message that a runner expects, without a sender. */
function messageOf(question: string): PipelineMessage {
  const placeholder = 'evaluation';
  return {
    uuid: newUuid(),
    bot_uuid: newUuid(),
    pipeline_uuid: newUuid(),
    conversation_uuid: newUuid(),
    session_type: 'person',
    session_id: placeholder,
    thread_id: '',
    sequence: 1,
    platform_message_id: null,
    sender_id: placeholder,
    sender_name: placeholder,
    facts: {},
    created_at: now(),
    message_chain: [{ type: 'Plain', text: question }],
  };
}
