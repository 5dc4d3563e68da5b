import type { Reason } from './errors.ts';

/** One condition on results; all must match. */
export interface RetrievalFilter {
  /** `file_id`, `document_id`, `file_name`, `extension`, `media_type`, `created_at`, `page`, or a key of `metadata`. */
  field: string;
  operator: '$eq' | '$ne' | '$gt' | '$gte' | '$lt' | '$lte' | '$in' | '$nin';
  /** A list for `$in` and `$nin`. */
  value: string | number | boolean | readonly (string | number | boolean)[];
}

/** Where a passage stands. */
export interface PassageSource {
  document_id: string;
  file_id: string;
  file_name: string;
  /** From 1; null where the format has no pages. */
  page: number | null;
  /** The last page, where the passage goes over several; else the same as `page`. */
  page_end: number | null;
  /** Headings that it stands below, the outermost first. */
  heading_path: string[];
  /** Characters of the document's text before it, and up to its end (UTF-16 code units). */
  start: number;
  end: number;
}

/** How one way of searching placed a passage. */
export interface LegScore {
  /** From 1. */
  rank: number;
  /** BM25, cosine similarity or the score of a rerank model; comparable within one search only. */
  score: number;
}

/** A search result of a knowledge engine. */
export interface RetrievedPassage {
  /** Of the chunk; unique in its collection. */
  id: string;
  text: string;
  /** From 0, the same, upwards; lower is closer. */
  distance: number;
  /** Higher is better; comparable within one search only. Null where the engine has none. */
  score: number | null;
  /** Null where the engine does not tell where it stands. */
  source: PassageSource | null;
  /** How each leg placed it; a leg that did not find it is absent. */
  legs: { keyword?: LegScore; vector?: LegScore; rerank?: LegScore };
  /** Whatever else the engine knows of it. */
  metadata: Record<string, unknown>;
}

/** A passage for a runner. */
export interface KnowledgePassage extends RetrievedPassage {
  knowledge_base_uuid: string;
  knowledge_base_name: string;
}

/** Result of querying knowledge bases. A failed base does not affect the others. */
export interface KnowledgeAnswer {
  /** Best first; those of several bases are joined by their ranks. */
  passages: KnowledgePassage[];
  failures: { knowledge_base_uuid: string; reason: Reason /** For the operator; holds no secrets. */; error: string }[];
}

/** One question to knowledge bases for an answer, as it is recorded. */
export interface Retrieval {
  question: string;
  /** Whether the runner queried it before the answer, or the model. */
  asked_by: 'runner' | 'model';
  knowledge_bases: string[];
  /** ISO 8601 UTC. */
  started_at: string;
  milliseconds: number;
  /** In result order; `number` is the passage's number for the model, null if omitted from the prompt. */
  passages: (Omit<KnowledgePassage, 'metadata'> & { number: number | null })[];
  failures: KnowledgeAnswer['failures'];
}

/** A passage that an answer names. */
export interface Citation {
  /** The number in the answer: `[1]`. */
  number: number;
  knowledge_base_uuid: string;
  chunk_id: string;
  source: PassageSource | null;
  /** The cited words, verbatim from the passage; null if the answer quoted none. */
  quote: string | null;
}

/** The recorded citations of an answer. */
export interface CitationReport {
  citations: Citation[];
  /** Citations that were taken out of the answer, since no passage has their number or their quote. */
  dropped: number;
}
