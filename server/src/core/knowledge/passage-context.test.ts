import { type DocumentBlock, documentText } from '@parley/sdk';
import type { StoredChunk } from '@parley/sdk/internal';
import { describe, expect, it, vi } from 'vitest';
import { chunkDocument } from '../../engines/built-in/chunk-document.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { FoundPassage } from './passage-context.ts';
import { PassageContexts, type PassageContextsOptions } from './passage-context.ts';

const base = { uuid: newUuid(), collection_id: 'c', knowledge_engine_plugin_id: 'parley/built-in' };
const document = {
  uuid: newUuid(),
  knowledge_base_uuid: base.uuid,
  file_name: 'a.pdf',
  created_at: '2026-01-01T00:00:00.000Z',
};
const sentence = (index: number) => `Sentence number ${index} of the document says what it has to say.`;
const blocks = Array.from(
  { length: 400 },
  (_, index): DocumentBlock => ({
    type: 'paragraph',
    text: [1, 2, 3].map((part) => sentence(index * 3 + part)).join(' '),
  }),
);
const whole = documentText(blocks);

interface Setting {
  blocks?: DocumentBlock[];
  size?: number;
  overlap?: number;
  documents?: object[];
  capabilities?: string[] | null;
}

function open({
  blocks: read = blocks,
  size = 300,
  overlap = 60,
  documents = [],
  capabilities = ['doc_ingestion'],
}: Setting = {}) {
  const chunks = [...chunkDocument(read, { size, overlap })].map((chunk) => ({
    ...chunk,
    id: `chunk-${chunk.position}`,
  }));
  const all = [{ ...document, chunk_count: chunks.length }, ...documents] as { uuid: string; file_name: string }[];
  const list = vi.fn(async (_collection: string, uuid: string, { from, limit }: { from: number; limit: number }) =>
    uuid === document.uuid ? (chunks.slice(from, from + limit) as unknown as StoredChunk[]) : [],
  );
  const contexts = new PassageContexts({
    bases: { byUuid: async (uuid: string) => (uuid === base.uuid ? base : null) },
    documents: {
      byUuid: async (uuid: string) => all.find((one) => one.uuid === uuid) ?? null,
      latestNamed: async (_: string, name: string) =>
        all.findLast((one) => one.file_name === name && one.uuid !== document.uuid) ?? null,
    },
    catalog: { find: () => (capabilities === null ? null : { capabilities }) },
    chunks: { list },
    pages: { areShown: () => true },
  } as unknown as PassageContextsOptions);
  const passage = (position: number, over: Partial<FoundPassage> = {}): FoundPassage => {
    const { id, text, start, end } = chunks[position] as (typeof chunks)[number];
    return { chunk_id: id, document_id: document.uuid, file_name: 'a.pdf', text, start, end, ...over };
  };
  return { contexts, chunks, passage, list, of: (found: FoundPassage) => contexts.of(base.uuid, found) };
}

describe('the context of a passage', () => {
  it('is the text around it, without repeats of overlapping chunks', async () => {
    const { of, passage, list } = open();
    for (const position of [1, 7, 120, 300]) {
      const found = passage(position);
      const { state, document: shown, before, after } = await of(found);
      expect(state).toBe('current');
      expect(shown).toEqual({
        uuid: document.uuid,
        file_name: 'a.pdf',
        created_at: document.created_at,
        shows_pages: true,
      });
      expect(whole).toContain((before + found.text + after).replaceAll('…', ''));
      expect(after.length).toBeGreaterThan(600);
    }
    // A binary search, not a walk through the document.
    expect(list.mock.calls.length).toBeLessThan(4 * 8);
  });

  it('ends where the document does, and between words elsewhere', async () => {
    const { of, passage, chunks } = open();
    expect((await of(passage(0))).before).toBe('');
    const { before, after } = await of(passage(chunks.length - 1));
    expect(after).toBe('');
    expect(before).toMatch(/^…\S/);
    expect((await of(passage(50))).after).toMatch(/[\w.]…$/);
    const start = whole.indexOf(before.slice(1));
    expect(whole[start - 1]).toMatch(/\s/);
  });

  it('is found when chunks were divided otherwise since, with the same text', async () => {
    const found = open().passage(40);
    const again = open({ size: 500, overlap: 0 });
    expect(await again.of({ ...found, chunk_id: 'of before' })).toMatchObject({ state: 'current' });
    const recorded = `${found.text.slice(0, 100)}…`;
    expect(await again.of({ ...found, chunk_id: 'of before', text: recorded })).toMatchObject({ state: 'current' });
  });

  it('is not shown when the document has another text there now', async () => {
    const found = open().passage(40);
    const changed = open({
      blocks: blocks.map((block) => ({
        ...block,
        text: `New: ${'text' in block ? block.text : ''}`,
      })) as DocumentBlock[],
    });
    expect(await changed.of({ ...found, chunk_id: 'of before' })).toEqual({
      state: 'reindexed',
      document: expect.objectContaining({ uuid: document.uuid }),
      before: '',
      after: '',
    });
    expect(await open({ blocks: [] }).of(found)).toMatchObject({ state: 'reindexed' });
    expect(
      await open().of({ ...found, chunk_id: 'of before', text: '', start: 10_000_000, end: 10_000_001 }),
    ).toMatchObject({ state: 'reindexed' });
  });

  it('has the rows of a table that was divided', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => [`row ${index}`, 'some words in a cell']);
    const table: DocumentBlock[] = [{ type: 'table', head: true, rows: [['Name', 'Text'], ...rows] }];
    const { of, passage } = open({ blocks: table, size: 250, overlap: 0 });
    const { state, before } = await of(passage(3));
    expect(state).toBe('current');
    expect(documentText(table)).toContain(before.replace('…', '').trim());
    expect(before).toContain('row 1');
  });

  it('says that the document was deleted, or which has its name now', async () => {
    const gone = open().passage(3, { document_id: newUuid() });
    expect(await open().of(gone)).toEqual({ state: 'deleted', document: null, before: '', after: '' });
    const other = {
      uuid: newUuid(),
      knowledge_base_uuid: base.uuid,
      file_name: 'a.pdf',
      created_at: document.created_at,
      chunk_count: 1,
    };
    expect(await open({ documents: [other] }).of(gone)).toMatchObject({
      state: 'replaced',
      document: { uuid: other.uuid },
    });
  });

  it('does not tell of documents of other bases', async () => {
    const elsewhere = { uuid: newUuid(), knowledge_base_uuid: newUuid(), file_name: 'b.pdf', chunk_count: 1 };
    const { of, passage } = open({ documents: [elsewhere] });
    expect(await of(passage(3, { document_id: elsewhere.uuid, file_name: 'c.pdf' }))).toMatchObject({
      state: 'deleted',
    });
  });

  it('is elsewhere for engines that have no documents here', async () => {
    const found = open().passage(3, { document_id: 'theirs' });
    expect(await open({ capabilities: [] }).of(found)).toMatchObject({ state: 'external', document: null });
    expect(await open({ capabilities: null }).of(found)).toMatchObject({ state: 'external' });
  });

  it('is refused for an unknown base', async () => {
    const { contexts, passage } = open();
    await expect(contexts.of(newUuid(), passage(1))).rejects.toMatchObject({ reason: 'not_found' });
  });
});
