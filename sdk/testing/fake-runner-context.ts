import { ParleyError } from '../src/errors.ts';
import type { LanguageModel } from '../src/model-requester.ts';
import type { KnowledgePassage } from '../src/retrieval.ts';
import type { AllowedTools, MediaContent, OpenedModel, RunnerContext, RunnerMemory } from '../src/runner.ts';
import type { Tool } from '../src/tool.ts';
import { fakeLanguageModel } from './fake-language-model.ts';
import { pipelineMessage } from './fake-stage-context.ts';
import { silentLogger } from './silent-logger.ts';

export interface FakeRunnerContextOptions extends Partial<Omit<RunnerContext, 'tools'>> {
  /** Tools of the message. Default none. */
  tools?: readonly Tool[] | AllowedTools;
  /** Files by the `path` of the elements that name them. */
  media?: Record<string, MediaContent>;
}

/**
 * Creates the context of a runner: every model is a fake that answers, there are no tools, files, passages or memory,
 * and HTTP is unrestricted.
 */
export function fakeRunnerContext(options: FakeRunnerContextOptions = {}): RunnerContext {
  const { tools = [], media = {}, ...rest } = options;
  return {
    openModel: async (uuid) => openedModel(uuid, fakeLanguageModel()),
    tools: 'list' in tools ? tools : allowing(tools),
    readMedia: async (element) => {
      const found = 'path' in element ? media[element.path ?? ''] : undefined;
      if (found === undefined) throw new ParleyError('not_found', 'There is no such file');
      return found;
    },
    retrieve: async () => ({ passages: [], failures: [] }),
    memory: fakeRunnerMemory(),
    fetch: globalThis.fetch,
    logger: silentLogger,
    ...rest,
  };
}

/** A passage of page 3 of a handbook, in the chapter "Opening hours"; `over` changes it. */
export function knowledgePassage(text: string, over: Partial<KnowledgePassage> = {}): KnowledgePassage {
  const source = {
    document_id: 'document-1',
    file_id: 'file-1',
    file_name: 'handbook.pdf',
    page: 3,
    page_end: 3,
    heading_path: ['Opening hours'],
    start: 1000,
    end: 1000 + text.length,
  };
  return {
    id: `chunk of ${text}`,
    text,
    distance: 0.5,
    score: 0.5,
    source,
    legs: {},
    metadata: {},
    knowledge_base_uuid: 'base-1',
    knowledge_base_name: 'Handbooks',
    ...over,
  };
}

const longestState = 10_000;

/** Memory that starts with `state`, with the size limit of the service. */
export function fakeRunnerMemory(state: string | null = null): RunnerMemory {
  let current = state;
  return {
    read: async () => current,
    write: async (written) => {
      if (written.length > longestState) throw new ParleyError('too_large', 'A runner remembers too much');
      current = written;
    },
  };
}

/** An opened model whose provider has one key; `over` overrides it. */
export function openedModel(uuid: string, model: LanguageModel, over: Partial<OpenedModel> = {}): OpenedModel {
  return {
    uuid,
    name: model.modelId,
    abilities: ['func_call', 'vision'],
    model,
    keys: 1,
    report: () => undefined,
    ...over,
  };
}

/** Calls each tool directly; its error becomes the text of a failure. */
function allowing(tools: readonly Tool[]): AllowedTools {
  return {
    list: async () => tools,
    call: async (name, parameters, signal) => {
      signal.throwIfAborted();
      const tool = tools.find((candidate) => candidate.name === name);
      if (tool === undefined) return { text: `err: there is no tool ${name}`, failed: true };
      try {
        const context = { message: pipelineMessage(), signal, progress: () => undefined };
        const { text } = await tool.call(parameters as Record<string, unknown>, context);
        return { text, failed: false };
      } catch (error) {
        signal.throwIfAborted();
        return { text: `err: ${(error as Error).message}`, failed: true };
      }
    },
  };
}
