import type { CitationReport, PassageSource, Retrieval } from '@parley/sdk';

type Passage = Retrieval['passages'][number];

/*
 * Limits of stored retrievals. They explain an answer and are no copy of the documents, so that an answer takes a few
 * hundred kilobytes at most, whatever a runner reports.
 */

/** Questions of one answer, and passages of all of them together. */
const maximumRetrievals = 64;
const maximumPassages = 400;
/** Characters of a passage, a question, a name and a message of failure. */
const longestText = 1000;
const longestQuestion = 2000;
const longestName = 255;
const longestError = 500;
const maximumHeadings = 10;
const maximumFailures = 50;
const maximumCitations = 200;
/** Characters of a cited passage, and of all of them together: users look at these later. */
const longestCited = 8000;
const maximumCited = 200_000;

/** A retrieval as it is stored, next to those stored before; null when there are enough of them. */
export function storedRetrieval(retrieval: Retrieval, before: readonly Retrieval[]): Retrieval | null {
  if (before.length >= maximumRetrievals) return null;
  const left = maximumPassages - before.reduce((sum, { passages }) => sum + passages.length, 0);
  return {
    ...retrieval,
    question: cut(retrieval.question, longestQuestion),
    knowledge_bases: retrieval.knowledge_bases.slice(0, maximumFailures).map((uuid) => cut(uuid, longestName)),
    passages: retrieval.passages
      .slice(0, Math.max(0, left))
      .map(({ id, text, distance, score, source, legs, number, knowledge_base_uuid, knowledge_base_name }) => ({
        id: cut(id, longestName),
        text: cut(text, longestText),
        distance: Number.isFinite(distance) ? Math.max(0, distance) : 0,
        score: score !== null && Number.isFinite(score) ? score : null,
        legs: storedLegs(legs),
        number,
        knowledge_base_uuid: cut(knowledge_base_uuid, longestName),
        knowledge_base_name: cut(knowledge_base_name, longestName),
        source: storedSource(source),
      })),
    failures: retrieval.failures
      .slice(0, maximumFailures)
      .map((failure) => ({ ...failure, error: cut(failure.error, longestError) })),
  };
}

export function storedReport({ citations, dropped }: CitationReport): CitationReport {
  return {
    citations: citations.slice(0, maximumCitations).map((citation) => ({
      ...citation,
      chunk_id: cut(citation.chunk_id, longestName),
      quote: citation.quote === null ? null : cut(citation.quote, longestQuestion),
      source: storedSource(citation.source),
    })),
    dropped,
  };
}

/**
 * Retrievals with the complete texts of cited passages, as long as they are not too long.
 * @param texts the complete texts of passages, by {@link passageKey}
 */
export function withCitedTexts<Stored extends Retrieval>(
  retrievals: readonly Stored[],
  { citations }: CitationReport,
  texts: ReadonlyMap<string, string>,
): Stored[] {
  const cited = new Set(citations.map((citation) => passageKey(citation.knowledge_base_uuid, citation.chunk_id)));
  let left = maximumCited;
  return retrievals.map((retrieval) => ({
    ...retrieval,
    passages: retrieval.passages.map((passage) => {
      const key = passageKey(passage.knowledge_base_uuid, passage.id);
      const text = cited.delete(key) ? texts.get(key) : undefined;
      const whole = text === undefined ? '' : cut(text, longestCited);
      if (whole.length <= passage.text.length || whole.length > left) return passage;
      left -= whole.length;
      return { ...passage, text: whole };
    }),
  }));
}

/** Identifies a passage of an answer. */
export function passageKey(baseUuid: string, chunkId: string): string {
  return `${baseUuid} ${chunkId}`;
}

/** An engine may be third-party code, and JSON has no numbers but finite ones. */
function storedLegs(legs: Passage['legs']): Passage['legs'] {
  return Object.fromEntries(
    (['keyword', 'vector', 'rerank'] as const).flatMap((name) => {
      const leg = legs[name];
      return leg !== undefined && Number.isFinite(leg.score) ? [[name, { rank: leg.rank, score: leg.score }]] : [];
    }),
  );
}

function storedSource(source: PassageSource | null): PassageSource | null {
  if (source === null) return null;
  const { document_id, file_id, file_name, page, page_end, heading_path, start, end } = source;
  return {
    document_id,
    file_id,
    page,
    page_end,
    start,
    end,
    file_name: cut(file_name, longestName),
    heading_path: heading_path.slice(0, maximumHeadings).map((heading) => cut(heading, longestName)),
  };
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text;
}
