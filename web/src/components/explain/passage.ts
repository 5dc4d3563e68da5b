import type { Explanation, Passage as RecordedPassage, Retrieval, Source } from './explanation.ts';

/** A source as the text of an answer names it. */
export interface CitedSource {
  /** The number in the answer: `[1]`. */
  number: number;
  /** Empty when the source is unknown. */
  file_name: string;
}

/** A passage that the drawer shows. */
export interface Passage {
  key: string;
  /** The number in the answer; null if it is not cited. */
  number: number | null;
  base: string;
  /** Name of the knowledge base. */
  baseName: string;
  chunk: string;
  /** As it was found; may end with `…` where it was too long to be recorded. */
  text: string;
  /** Verbatim parts of the text. */
  quotes: string[];
  source: Source | null;
  score: number | null;
  distance: number;
  legs: RecordedPassage['legs'];
  /** The query that found it. */
  question: string;
  askedBy: Retrieval['asked_by'] | null;
}

/** The passages of an answer, each once; cited ones with their quotes. */
export function passagesOf({ retrievals, citations }: Pick<Explanation, 'retrievals' | 'citations'>): Passage[] {
  const cited = citations?.cited ?? [];
  const passages = new Map<string, Passage>();
  for (const { question, asked_by, passages: found } of retrievals) {
    for (const {
      id,
      knowledge_base_uuid,
      knowledge_base_name,
      cited_as,
      text,
      source,
      score,
      distance,
      legs,
    } of found) {
      const key = passageKey(knowledge_base_uuid, id);
      const known = passages.get(key);
      // Found again: only one of them was recorded completely.
      if (known !== undefined && known.text.length >= text.length) continue;
      passages.set(key, {
        key,
        number: cited_as,
        base: knowledge_base_uuid,
        baseName: knowledge_base_name,
        chunk: id,
        text,
        quotes: cited.flatMap((one) =>
          one.quote !== null && passageKey(one.knowledge_base_uuid, one.chunk_id) === key ? [one.quote] : [],
        ),
        source,
        score,
        distance,
        legs,
        question,
        askedBy: asked_by,
      });
    }
  }
  return [...passages.values()];
}

/** The cited passages of an answer, in the order of their numbers. */
export function citedPassagesOf(explanation: Pick<Explanation, 'retrievals' | 'citations'>): Passage[] {
  return passagesOf(explanation)
    .filter(({ number }) => number !== null)
    .sort((one, other) => (one.number ?? 0) - (other.number ?? 0));
}

export function passageKey(base: string, chunk: string): string {
  return `${base} ${chunk}`;
}

/** The sources of an answer, each once. */
export function sourcesOf({ citations }: Pick<Explanation, 'citations'>): CitedSource[] {
  const sources = new Map(
    citations?.cited.map(({ number, source }) => [number, { number, file_name: source?.file_name ?? '' }]),
  );
  return [...sources.values()];
}

/** A part of a passage, and whether it is quoted. */
export interface PassagePart {
  text: string;
  isQuoted: boolean;
}

/** Splits a text at its quotes; overlapping ones are one part. */
export function quotedParts(text: string, quotes: readonly string[]): PassagePart[] {
  const ranges = quoteRanges(text, quotes).sort((one, other) => one.start - other.start);
  const parts: PassagePart[] = [];
  let place = 0;
  for (const { start, end } of ranges) {
    if (end <= place) continue;
    const from = Math.max(start, place);
    if (from > place) parts.push({ text: text.slice(place, from), isQuoted: false });
    parts.push({ text: text.slice(from, end), isQuoted: true });
    place = end;
  }
  if (place < text.length) parts.push({ text: text.slice(place), isQuoted: false });
  return parts;
}

/** Positions of quotes in a text; those that it does not contain are omitted. */
export function quoteRanges(text: string, quotes: readonly string[]): { start: number; end: number }[] {
  return quotes.flatMap((quote) => {
    const start = quote === '' ? -1 : text.indexOf(quote);
    return start < 0 ? [] : [{ start, end: start + quote.length }];
  });
}
