import { ParleyError } from '@parley/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { citationReport, retrievalRecord } from '../../../test/factories/retrieval-records.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { PassageContext } from '../knowledge/passage-context.ts';
import { CitationLinks } from './citation-links.ts';
import { CitedPassages, type CitedPassagesOptions } from './cited-passages.ts';

const links = new CitationLinks(Buffer.alloc(32), 'https://a.example');
const message_uuid = newUuid();
const token = (number = 1, days = 7) => links.link({ message_uuid, number }, days)?.split('/').at(-1) ?? '';

interface Setting {
  story?: object | null;
  answers?: object | null;
  state?: PassageContext['state'];
  fault?: Error;
}

function open({ story = {}, answers = { 'citation-links': true }, state = 'current', fault }: Setting = {}) {
  const stored = { message: { pipeline_uuid: 'p' }, retrievals: [retrievalRecord()], citations: citationReport() };
  const of = vi.fn(async () => {
    if (fault !== undefined) throw fault;
    return { state };
  });
  const options = {
    links,
    messages: {
      story: async (uuid: string) => (uuid === message_uuid && story !== null ? { ...stored, ...story } : null),
    },
    pipelines: { configForRun: async () => (answers === null ? null : { answers }) },
    contexts: { of },
  } as unknown as CitedPassagesOptions;
  return { passages: new CitedPassages(options), of };
}

describe('a link', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('shows one passage with its quotes, as it was recorded', async () => {
    const { passages, of } = open();
    expect(await passages.show(token())).toEqual({
      file_name: 'handbook.pdf',
      page: 3,
      page_end: 3,
      text: 'We close at five.',
      quotes: ['close at five'],
    });
    expect(of).toHaveBeenCalledExactlyOnceWith('base-1', expect.objectContaining({ chunk_id: 'chunk-2' }));
  });

  it('shows passages of unknown or external sources', async () => {
    const [retrieval] = [retrievalRecord()];
    const without = { ...retrieval, passages: retrieval?.passages.map((passage) => ({ ...passage, source: null })) };
    const { passages } = open({ story: { retrievals: [without] }, state: 'external' });
    expect(await passages.show(token())).toMatchObject({ file_name: '', page: null, text: 'We close at five.' });
  });

  it('expires', async () => {
    const made = token(1, 7);
    const { passages } = open();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 24 * 3_600_000 - 60_000 });
    expect(await passages.show(made)).toMatchObject({ text: 'We close at five.' });
    vi.setSystemTime(Date.now() + 120_000);
    expect(await passages.show(made)).toBe('expired');
  });

  it('that was altered shows nothing, and asks nothing', async () => {
    const { passages, of } = open();
    expect(await passages.show(`B${token().slice(1)}`)).toBe('invalid');
    expect(of).not.toHaveBeenCalled();
  });

  it.each<[string, Setting, number?]>([
    ['message', { story: null }],
    ['citation', {}, 2],
    ['record of citations', { story: { citations: null } }],
    ['record of the passage', { story: { retrievals: [] } }],
    ['pipeline', { answers: null }],
    ['setting that allows it', { answers: { 'citation-links': false } }],
    ['document', { state: 'deleted' }],
    ['document that it was, but another of its name', { state: 'replaced' }],
    ['knowledge base', { fault: new ParleyError('not_found', 'knowledge base not found') }],
  ])('shows nothing when there is no %s', async (_, setting, number) => {
    expect(await open(setting).passages.show(token(number))).toBe('gone');
  });

  it('passes faults on', async () => {
    await expect(open({ fault: new Error('database') }).passages.show(token())).rejects.toThrow('database');
  });
});
