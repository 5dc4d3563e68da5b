import { ParleyError } from '@parley/sdk';
import { present } from '../../lib/clock.ts';
import type { PassageContexts } from '../knowledge/passage-context.ts';
import type { PipelineService } from '../pipelines/pipeline-service.ts';
import type { CitationLinks, LinkedCitation } from './citation-links.ts';
import type { MessageReader } from './message-reader.ts';

/** A passage that an answer cites, as its link shows it. */
export interface CitedPassage {
  /** Empty when the source is unknown. */
  file_name: string;
  page: number | null;
  page_end: number | null;
  text: string;
  /** Verbatim parts of the text. */
  quotes: string[];
}

/**
 * Why a link shows nothing: it was not made here, is over, or the message, its passage or the document was deleted or
 * the pipeline shows no passages any more.
 */
export type LinkRefusal = 'invalid' | 'expired' | 'gone';

export interface CitedPassagesOptions {
  links: Pick<CitationLinks, 'read'>;
  messages: Pick<MessageReader, 'story'>;
  pipelines: Pick<PipelineService, 'configForRun'>;
  contexts: Pick<PassageContexts, 'of'>;
}

/** Shows cited passages to the holders of links. */
export class CitedPassages {
  readonly #options: CitedPassagesOptions;

  constructor(options: CitedPassagesOptions) {
    this.#options = options;
  }

  async show(token: string): Promise<CitedPassage | LinkRefusal> {
    const linked = this.#options.links.read(token);
    if (linked === null) return 'invalid';
    if (linked.expires_at <= present()) return 'expired';
    return (await this.#passage(linked)) ?? 'gone';
  }

  async #passage({ message_uuid, number }: LinkedCitation): Promise<CitedPassage | null> {
    const story = await this.#options.messages.story(message_uuid);
    if (story === null) return null;
    const config = await this.#options.pipelines.configForRun(story.message.pipeline_uuid);
    if (config?.answers['citation-links'] !== true) return null;
    const citations = story.citations?.citations.filter((citation) => citation.number === number) ?? [];
    const [cited] = citations;
    if (cited === undefined) return null;
    const passage = story.retrievals
      .flatMap(({ passages }) => passages)
      .find(
        ({ id, knowledge_base_uuid }) => id === cited.chunk_id && knowledge_base_uuid === cited.knowledge_base_uuid,
      );
    if (passage === undefined) return null;
    const { source, text } = passage;
    if (!(await this.#isThere(cited.knowledge_base_uuid, passage))) return null;
    return {
      file_name: source?.file_name ?? '',
      page: source?.page ?? null,
      page_end: source?.page_end ?? null,
      text,
      quotes: citations.flatMap(({ quote }) => quote ?? []),
    };
  }

  /** Whether the document was not deleted since. */
  async #isThere(
    baseUuid: string,
    {
      id,
      source,
      text,
    }: {
      id: string;
      source: { document_id: string; file_name: string; start: number; end: number } | null;
      text: string;
    },
  ): Promise<boolean> {
    const { document_id, file_name, start, end } = source ?? { document_id: '', file_name: '', start: 0, end: 0 };
    const found = { chunk_id: id, document_id, file_name, text, start, end };
    try {
      const { state } = await this.#options.contexts.of(baseUuid, found);
      return state !== 'deleted' && state !== 'replaced';
    } catch (error) {
      if (error instanceof ParleyError && error.reason === 'not_found') return false;
      throw error;
    }
  }
}
