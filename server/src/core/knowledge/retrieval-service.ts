import type { KnowledgeAnswer, RetrievedPassage, RetrieveRequest } from '@parley/sdk';

export interface RetrieveOptions {
  /** Laid over those of the base; `filters` in it as beside it. */
  retrieval_settings?: Record<string, unknown> | undefined;
  /** A flat object; a bare value is `$eq`: `{"page": {"$gte": 3}, "lang": "en"}`. */
  filters?: unknown;
  /** Another collection than the one that is searched. */
  collection_id?: string | undefined;
  signal: AbortSignal;
  asked_by?: RetrieveRequest['asked_by'];
}

/** Asks knowledge bases. */
export class RetrievalService {
  /**
   * Passages of one base, best first.
   * @throws ParleyError `not_found`, `invalid_request` for settings or filters, `time_limit`, or why the engine failed
   */
  async retrieve(_baseUuid: string, _query: string, _options: RetrieveOptions): Promise<RetrievedPassage[]> {
    throw new Error('not built');
  }

  /** Passages of several bases, joined by their ranks. Bases that are gone are passed over. */
  async ask(
    _baseUuids: readonly string[],
    _question: string,
    _options: Pick<RetrieveOptions, 'signal' | 'asked_by'>,
  ): Promise<KnowledgeAnswer> {
    throw new Error('not built');
  }
}
