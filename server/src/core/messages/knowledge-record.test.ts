import { knowledgePassage } from '@parley/sdk/testing';
import { expect, it } from 'vitest';
import { citationReport, retrievalRecord } from '../../../test/factories/retrieval-records.ts';
import { passageKey, storedReport, storedRetrieval, withCitedTexts } from './knowledge-record.ts';

it('stores a retrieval of normal size unchanged', () => {
  expect(storedRetrieval(retrievalRecord(), [])).toEqual(retrievalRecord());
  expect(storedReport(citationReport())).toEqual(citationReport());
  const [citation] = citationReport().citations;
  if (citation === undefined) return expect.unreachable();
  const bare = citationReport({ citations: [{ ...citation, source: null, quote: null }] });
  expect(storedReport(bare)).toEqual(bare);
});

it('keeps no more of an answer than explains it', () => {
  const long = 'x'.repeat(100_000);
  const source = {
    document_id: 'd',
    file_id: 'f',
    page: 1,
    page_end: 1,
    start: 0,
    end: 1,
    file_name: long,
    heading_path: Array.from({ length: 100 }, () => long),
  };
  const { metadata: _, ...passage } = knowledgePassage(`${'y'.repeat(998)}😀${long}`, {
    id: long,
    source,
    knowledge_base_name: long,
  });
  const huge = retrievalRecord({
    question: long,
    knowledge_bases: Array.from({ length: 1000 }, () => long),
    passages: Array.from({ length: 1000 }, () => ({ ...passage, number: null })),
    failures: Array.from({ length: 1000 }, () => ({ knowledge_base_uuid: 'b', reason: 'internal', error: long })),
  });
  const stored = storedRetrieval(huge, []);
  expect(stored?.passages).toHaveLength(400);
  expect(stored?.passages[0]?.text).toBe(`${'y'.repeat(998)}\ufffd…`);
  expect(JSON.stringify(stored?.passages[0]).length).toBeLessThan(5000);
  expect(JSON.stringify({ ...stored, passages: [] }).length).toBeLessThan(50_000);
  if (stored === null) return expect.unreachable();
  expect(storedRetrieval(retrievalRecord(), [stored])?.passages).toEqual([]);
  expect(
    storedRetrieval(
      retrievalRecord(),
      Array.from({ length: 64 }, () => retrievalRecord()),
    ),
  ).toBeNull();
  const [citation] = citationReport().citations;
  if (citation === undefined) return expect.unreachable();
  const { citations, dropped } = storedReport({
    citations: Array.from({ length: 1000 }, () => ({ ...citation, quote: long, chunk_id: long, source })),
    dropped: 7,
  });
  expect([citations.length, dropped]).toEqual([200, 7]);
  expect(JSON.stringify(citations).length).toBeLessThan(200 * 6000);
});

it('keeps figures that no number is as none', () => {
  const { metadata: _, ...passage } = knowledgePassage('x', {
    distance: Number.NaN,
    score: Number.POSITIVE_INFINITY,
    legs: { keyword: { rank: 1, score: Number.NaN }, vector: { rank: 2, score: 0.5 } },
  });
  const stored = storedRetrieval(retrievalRecord({ passages: [{ ...passage, number: 1 }] }), []);
  expect(stored?.passages).toMatchObject([{ distance: 0, score: null, legs: { vector: { rank: 2, score: 0.5 } } }]);
  expect(stored?.passages[0]?.legs).not.toHaveProperty('keyword');
});

it('keeps cited passages completely, once each and within limits', () => {
  const text = (length: number) => 'x'.repeat(length);
  const passages = [3000, 3000, 900, 20_000].map((length, index) => {
    const { metadata: _, ...passage } = knowledgePassage(text(length), { id: `chunk-${index}` });
    return { ...passage, number: index + 1 };
  });
  const texts = new Map(
    passages.map(({ knowledge_base_uuid, id, text: whole }) => [passageKey(knowledge_base_uuid, id), whole]),
  );
  const [citation] = citationReport().citations;
  if (citation === undefined) return expect.unreachable();
  const cites = (...ids: string[]) =>
    citationReport({ citations: ids.map((chunk_id) => ({ ...citation, knowledge_base_uuid: 'base-1', chunk_id })) });
  const stored = storedRetrieval(retrievalRecord({ passages }), []);
  if (stored === null) return expect.unreachable();
  const lengths = (ids: string[], retrievals = [stored]) =>
    withCitedTexts(retrievals, cites(...ids), texts).flatMap((retrieval) =>
      retrieval.passages.map((one) => one.text.length),
    );
  expect(lengths([])).toEqual([1000, 1000, 900, 1000]);
  expect(lengths(['chunk-0', 'chunk-0', 'chunk-2', 'chunk-3'])).toEqual([3000, 1000, 900, 8000]);
  expect(lengths(['chunk-0'], [stored, stored]).filter((length) => length === 3000)).toHaveLength(1);
  expect(lengths(['of another answer'])).toEqual([1000, 1000, 900, 1000]);
  const many = Array.from({ length: 100 }, (_, index) => ({
    ...(passages[3] as (typeof passages)[number]),
    id: `${index}`,
  }));
  const all = withCitedTexts(
    [{ ...stored, passages: many.map((passage) => ({ ...passage, text: text(1000) })) }],
    cites(...many.map(({ id }) => id)),
    new Map(many.map(({ id }) => [passageKey('base-1', id), text(20_000)])),
  );
  expect(JSON.stringify(all).length).toBeLessThan(400_000);
});
