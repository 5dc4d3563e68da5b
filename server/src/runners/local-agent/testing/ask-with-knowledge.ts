import type { RunnerContext } from '@parley/sdk';
import {
  type FakeAnswer,
  type FakeLanguageModel,
  fakeLanguageModel,
  fakeTool,
  knowledgePassage,
  openedModel,
} from '@parley/sdk/testing';
import { askAgent, type Question } from './ask-agent.ts';
import { finding } from './knowledge-questions.ts';

export const bases = ['base-1', 'base-2'];
export const opening = knowledgePassage('We open at nine.');
export const closing = knowledgePassage('We close at five.', { source: null, knowledge_base_name: 'Leaflets' });
export const weather = fakeTool({ name: 'weather', answer: 'Sunny' });

export const searching = (...queries: unknown[]): FakeAnswer => ({
  toolCalls: queries.map((query) => ({ toolName: 'search_knowledge', input: query })),
});
export const saying = (...chunks: string[]): FakeAnswer => ({ chunks });

export interface Setting extends Question {
  answers?: FakeAnswer[];
  mode?: string;
  citations?: string;
  retrieve?: RunnerContext['retrieve'];
  abilities?: string[];
  model?: FakeLanguageModel;
}

/** Calls an agent that has two knowledge bases, and returns what its model received. */
export async function askWithKnowledge(setting: Setting = {}) {
  const {
    answers = [saying('Hello.')],
    mode,
    citations,
    abilities = ['func_call'],
    retrieve = finding(opening, closing),
  } = setting;
  const { config, context, model = fakeLanguageModel({ answers }), ...question } = setting;
  const answered = await askAgent({
    text: 'When do you open?',
    knowledge_bases: bases,
    ...question,
    config: {
      model: { primary: 'first', fallbacks: [] },
      ...(mode === undefined ? {} : { 'knowledge-mode': mode }),
      ...(citations === undefined ? {} : { citations }),
      ...config,
    },
    context: {
      openModel: async (uuid) => openedModel(uuid, model, { abilities }),
      tools: [weather],
      retrieve,
      ...context,
    },
  });
  const prompts = model.calls.map(({ prompt }) => prompt);
  return {
    ...answered,
    model,
    prompts,
    /** The question in each request. */
    questions: prompts.map((prompt) => textOf(prompt.find(({ role }) => role === 'user')?.content)),
    /** Tool results in the last request. */
    results: (prompts.at(-1) ?? []).flatMap(({ role, content }) =>
      role === 'tool'
        ? content.map((part) => ('output' in part ? (part.output as { type: string; value: string }) : null))
        : [],
    ),
    retrievals: answered.deltas.flatMap((delta) => (delta.type === 'retrieval' ? delta.retrieval : [])),
    reports: answered.deltas.flatMap((delta) => (delta.type === 'citations' ? delta.report : [])),
    sources: answered.deltas.flatMap((delta) => (delta.type === 'appendix' ? delta.text : [])),
  };
}

export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return (content as { type: string; text?: string }[]).map(({ text = '' }) => text).join('\n');
}
