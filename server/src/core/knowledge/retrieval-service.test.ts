import { setTimeout as pause } from 'node:timers/promises';
import { ParleyError } from '@parley/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeEngine, type OpenKnowledge, openKnowledge } from '../../../test/stores/knowledge-fixture.ts';
import { newUuid } from '../../lib/uuid.ts';

const { signal } = new AbortController();

describe('asking knowledge bases', () => {
  let knowledge: OpenKnowledge;
  const searches: { settings: unknown; filters: unknown; asked_by: unknown }[] = [];
  const retrieval = () => knowledge.service.retrieval;
  beforeEach(async () => {
    searches.length = 0;
    knowledge = await openKnowledge();
    const engine = fakeEngine({ held: knowledge.held, at: knowledge.gate.at });
    const recording = {
      ...engine,
      plugin_id: 'tests/recording',
      retrieve: (...[request, context]: Parameters<typeof engine.retrieve>) => {
        const { settings, filters, asked_by } = request;
        searches.push({ settings, filters, asked_by });
        return engine.retrieve(request, context);
      },
    };
    await knowledge.restart({ engines: [recording] });
  });
  afterEach(() => knowledge.close());

  const recorded = (retrieval_settings: Record<string, unknown>) =>
    knowledge.service.knowledgeBases.create({ knowledge_engine_plugin_id: 'tests/recording', retrieval_settings });

  it('merges the settings of a query over those of the base, with separate filters', async () => {
    const uuid = await recorded({ token: 'secret-0123456789', filters: { lang: 'en' } });
    await retrieval().retrieve(uuid, 'x', { signal });
    expect(searches[0]).toEqual({
      settings: { top_k: 5, token: 'secret-0123456789' },
      filters: [{ field: 'lang', operator: '$eq', value: 'en' }],
      asked_by: undefined,
    });
    const asked_by = { session_id: 'person_1', message_uuid: newUuid() };
    await retrieval().retrieve(uuid, 'x', { signal, retrieval_settings: { top_k: 2, filters: {} }, asked_by });
    expect(searches[1]).toEqual({ settings: { top_k: 2, token: 'secret-0123456789' }, filters: [], asked_by });
    const { retrieval_settings } = await knowledge.service.knowledgeBases.get(uuid);
    // Settings from a read may be sent, masks too.
    await retrieval().retrieve(uuid, 'x', { signal, retrieval_settings, filters: { page: { $gt: 1 } } });
    expect(searches[2]).toMatchObject({
      settings: { token: 'secret-0123456789' },
      filters: [{ field: 'page', operator: '$gt', value: 1 }],
    });
  });

  it.each([
    ['query', '  ', {}],
    ['query', 'x'.repeat(20_001), {}],
    ['retrieval_settings.top_k', 'x', { retrieval_settings: { top_k: 51 } }],
    ['retrieval_settings.other', 'x', { retrieval_settings: { other: 1 } }],
    ['filters.a', 'x', { filters: { a: { $regex: 'x' } } }],
  ])('refuses with the path of the fault: %s', async (path, query, options) => {
    const uuid = await recorded({});
    await expect(retrieval().retrieve(uuid, query, { signal, ...options })).rejects.toMatchObject({
      reason: 'invalid_request',
      details: [{ path }],
    });
    expect(searches).toEqual([]);
  });

  it('returns nothing without a base or a query', async () => {
    for (const unknown of [newUuid(), 'no-uuid']) {
      await expect(retrieval().retrieve(unknown, 'x', { signal })).rejects.toMatchObject({ reason: 'not_found' });
    }
    const [one, two] = [await knowledge.base(), await knowledge.base()];
    const { collection_id } = await knowledge.service.knowledgeBases.get(two);
    for (const foreign of [collection_id, newUuid()]) {
      const options = { signal, collection_id: foreign };
      await expect(retrieval().retrieve(one, 'x', options)).rejects.toMatchObject({ reason: 'not_found' });
    }
    expect(await retrieval().ask([newUuid(), 'no-uuid'], 'x', { signal })).toEqual({ passages: [], failures: [] });
  });

  it('is answered in time, or not at all', async () => {
    const uuid = await knowledge.base({ 'a.txt': 'sky' });
    knowledge.gate.hold('retrieve');
    await expect(retrieval().retrieve(uuid, 'sky', { signal })).rejects.toMatchObject({ reason: 'time_limit' });
    const abort = new AbortController();
    const running = retrieval().retrieve(uuid, 'sky', { signal: abort.signal });
    const reason = new Error('the caller disconnected');
    abort.abort(reason);
    await expect(running).rejects.toBe(reason);
    await expect(retrieval().ask([uuid], 'sky', { signal: abort.signal })).rejects.toBe(reason);
  });

  it('reports why an engine failed, without internals', async () => {
    const uuid = await knowledge.base();
    knowledge.gate.fail(
      'retrieve',
      new ParleyError('provider_unauthorized', 'The key is wrong'),
      new Error('password'),
    );
    await expect(retrieval().retrieve(uuid, 'x', { signal })).rejects.toMatchObject({
      reason: 'provider_unauthorized',
    });
    await expect(retrieval().retrieve(uuid, 'x', { signal })).rejects.toMatchObject({
      reason: 'engine_failed',
      message: expect.not.stringContaining('password'),
    });
  });

  it('merges the results of several bases by rank, and continues without one that fails', async () => {
    const one = await knowledge.base({ 'a.txt': 'sky 1', 'b.txt': 'sky 2', 'c.txt': 'sky 3' });
    const two = await knowledge.base({ 'd.txt': 'sky 4' });
    const { passages, failures } = await retrieval().ask([one, two.toUpperCase(), one, newUuid()], 'sky', { signal });
    expect(passages.map(({ text }) => text)).toEqual(['sky 1', 'sky 4', 'sky 2', 'sky 3']);
    expect(passages[1]).toMatchObject({ knowledge_base_uuid: two, knowledge_base_name: 'Base' });
    expect(failures).toEqual([]);
    knowledge.gate.fail('retrieve', new ParleyError('provider_unreachable', 'No connection'));
    const second = await retrieval().ask([one, two], 'sky', { signal });
    expect(second.failures).toEqual([
      { knowledge_base_uuid: expect.any(String), reason: 'provider_unreachable', error: 'No connection' },
    ]);
    expect(second.passages.length).toBeGreaterThan(0);
  });

  it('retains a collection while it is searched', async () => {
    const uuid = await knowledge.base({ 'a.txt': 'sky' });
    const { collection_id: before } = await knowledge.service.knowledgeBases.get(uuid);
    knowledge.gate.hold('retrieve', before);
    const running = retrieval().retrieve(uuid, 'sky', { signal });
    await expect.poll(() => knowledge.gate.came('retrieve', before), { timeout: 30_000 }).toBe(true);
    await knowledge.service.collections.rebuild(uuid);
    const searched = async () => (await knowledge.service.knowledgeBases.get(uuid)).collection_id;
    await expect.poll(searched, { timeout: 30_000 }).not.toBe(before);
    // Long enough to be dropped without the wait.
    await pause(50);
    expect(knowledge.held.has(before)).toBe(true);
    expect(await retrieval().retrieve(uuid, 'sky', { signal })).toHaveLength(1);
    knowledge.gate.letGo('retrieve', before);
    expect(await running).toHaveLength(1);
    await expect.poll(() => knowledge.held.has(before), { timeout: 30_000 }).toBe(false);
  });
});
