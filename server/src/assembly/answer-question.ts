import {
  type CitationReport,
  type KnowledgePassage,
  type Logger,
  ParleyError,
  type PipelineMessage,
  type Runner,
  type RunnerContext,
} from '@parley/sdk';
import type { KnowledgeBaseService } from '../core/knowledge/knowledge-base-service.ts';
import type { AnswerQuestion } from '../core/knowledge/question-answerer.ts';
import type { RetrievalService } from '../core/knowledge/retrieval-service.ts';
import { now } from '../lib/clock.ts';
import { newUuid } from '../lib/uuid.ts';

export interface AnswerQuestionParts {
  /** The built-in agent. */
  runner: Runner;
  openModel: RunnerContext['openModel'];
  bases: Pick<KnowledgeBaseService, 'get'>;
  retrieval: Pick<RetrievalService, 'retrieve'>;
  fetch: typeof globalThis.fetch;
  logger: Logger;
}

/** Generates an answer with the built-in agent as in a new conversation, from one collection alone. */
export function answerQuestions({
  runner,
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
    const config = {
      model: { primary: modelUuid, fallbacks: [] },
      prompt: [],
      'knowledge-mode': 'automatic',
      citations: 'markers',
      'max-tool-steps': 0,
      'max-answer-seconds': 300,
    };
    let text = '';
    let report: CitationReport = { citations: [], dropped: 0 };
    const request = {
      config,
      message: messageOf(question),
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
