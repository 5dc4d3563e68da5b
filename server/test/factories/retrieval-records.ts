import type { CitationReport, Retrieval } from '@parley/sdk';
import { knowledgePassage } from '@parley/sdk/testing';

/** A question to two knowledge bases, of which one found two passages and the other failed; `over` changes it. */
export function retrievalRecord(over: Partial<Retrieval> = {}): Retrieval {
  const passages = ['We open at nine.', 'We close at five.'].map((text, index) => {
    const { metadata: _, ...passage } = knowledgePassage(text, {
      id: `chunk-${index + 1}`,
      legs: { keyword: { rank: index + 1, score: 2.5 - index }, vector: { rank: 2 - index, score: 0.5 } },
    });
    return { ...passage, number: index + 1 };
  });
  return {
    question: 'When do you open?',
    asked_by: 'runner',
    knowledge_bases: ['base-1', 'base-2'],
    started_at: '2026-01-01T00:00:01.000Z',
    milliseconds: 30,
    passages,
    failures: [{ knowledge_base_uuid: 'base-2', reason: 'provider_failed', error: 'No' }],
    ...over,
  };
}

/** An answer that cites the second passage of {@link retrievalRecord} and had one citation taken out. */
export function citationReport(over: Partial<CitationReport> = {}): CitationReport {
  const [, passage] = retrievalRecord().passages;
  const source = passage?.source ? { ...passage.source, start: 1003, end: 1013 } : null;
  const citation = { number: 1, knowledge_base_uuid: 'base-1', chunk_id: 'chunk-2', source, quote: 'close at five' };
  return { citations: [citation], dropped: 1, ...over };
}
