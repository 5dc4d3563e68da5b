import { ParleyApiError, type Tagged } from '@parley/client';
import { act, renderHook, waitFor } from '@testing-library/react';
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { withQueries } from '../../testing/render.tsx';
import { accountStorage } from './account-storage.ts';
import { secretTexts } from './secret-texts.ts';
import { tabItems } from './tab-items.ts';
import { useDraft } from './use-draft.ts';

interface Stored {
  name: string;
  note: string;
  /** Not edited here. */
  state: string;
  updated_at: string;
}
type Content = Pick<Stored, 'name' | 'note'>;

const contentOf = ({ name, note }: Stored): Content => ({ name, note });
const refused = new ParleyApiError('refused', {
  status: 400,
  reason: 'invalid_request',
  details: [{ path: 'name', message: 'is taken' }],
});

const changed = new ParleyApiError('changed', { status: 412, reason: 'record_changed' });

/** A record that others may change too. */
function storeRecord() {
  let version = 1;
  let current: Stored = { name: 'parrot', note: '', state: 'idle', updated_at: '1' };
  const store = {
    current: () => current,
    /** A change by this user or another. */
    change(part: Partial<Stored>) {
      version += 1;
      current = { ...current, ...part, updated_at: `${version}` };
    },
    read: vi.fn(async (): Promise<Tagged<Stored>> => ({ data: current, etag: `"${current.name}/${current.note}"` })),
    save: vi.fn(async (value: Content, _headers: object): Promise<unknown> => store.change(value)),
  };
  return store;
}

function editRecord(store = storeRecord()) {
  const onSaved = vi.fn();
  const { result, rerender, unmount } = renderHook(
    ({ stored }: { stored: Stored }) =>
      useDraft({ name: 'parrot', stored, contentOf, read: store.read, save: store.save, onSaved }),
    { wrapper: withQueries(), initialProps: { stored: store.current() } },
  );
  return {
    store,
    onSaved,
    draft: () => result.current,
    /** The page is loaded again. */
    reload() {
      unmount();
      return editRecord(store);
    },
    edit: (part: Partial<Content>) => act(() => result.current.change({ ...result.current.value, ...part })),
    /** The page fetches the record again. */
    refetch: () => rerender({ stored: store.current() }),
    /** Does something and waits until nothing is being saved. */
    async settle(action: () => void) {
      act(action);
      await waitFor(() => expect(result.current.isSaving).toBe(false));
    },
  };
}

describe('a draft', () => {
  it('begins with what is stored, unchanged', () => {
    const { draft } = editRecord();
    expect(draft()).toMatchObject({
      value: { name: 'parrot', note: '' },
      isDirty: false,
      conflict: null,
      error: null,
    });
  });

  it('is dirty until the original value is back', () => {
    const { draft, edit } = editRecord();
    edit({ name: 'lory' });
    expect(draft()).toMatchObject({ isDirty: true, original: { name: 'parrot' } });
    edit({ name: 'parrot' });
    expect(draft().isDirty).toBe(false);
  });

  it('is saved once, and then shows what the server made of it', async () => {
    const { store, draft, edit, settle, onSaved } = editRecord();
    store.save.mockImplementationOnce(async ({ name }) => store.change({ name: name.trim() }));
    edit({ name: ' lory ' });
    await settle(() => draft().save());
    expect(store.save.mock.calls).toEqual([[{ name: ' lory ', note: '' }, { 'If-Match': '"parrot/"' }]]);
    expect(draft()).toMatchObject({ value: { name: 'lory' }, original: { name: 'lory' }, isDirty: false });
    expect(onSaved).toHaveBeenCalledOnce();
  });

  it('says that it is being saved until it is', async () => {
    const { store, draft, edit, settle } = editRecord();
    const { promise, resolve } = Promise.withResolvers<void>();
    store.save.mockReturnValueOnce(promise);
    edit({ name: 'lory' });
    act(() => draft().save());
    await waitFor(() => expect(draft().isSaving).toBe(true));
    await settle(resolve);
  });

  it('keeps what is typed while it is being saved', async () => {
    const { store, draft, edit, settle } = editRecord();
    const { promise, resolve } = Promise.withResolvers<void>();
    store.save.mockImplementationOnce(async (value) => {
      await promise;
      store.change(value);
    });
    edit({ name: 'lory' });
    act(() => draft().save());
    await waitFor(() => expect(store.save).toHaveBeenCalled());
    edit({ note: 'typed meanwhile' });
    await settle(resolve);
    expect(store.current()).toMatchObject({ name: 'lory', note: '' });
    expect(draft()).toMatchObject({ value: { name: 'lory', note: 'typed meanwhile' }, isDirty: true });
  });

  it('loses nothing when saving fails, and can be saved again', async () => {
    const { store, draft, edit, settle, onSaved } = editRecord();
    store.save.mockRejectedValueOnce(refused);
    edit({ name: 'lory' });
    await settle(() => draft().save());
    expect(draft()).toMatchObject({
      value: { name: 'lory' },
      isDirty: true,
      error: refused,
      faults: [{ path: 'name' }],
    });
    expect(onSaved).not.toHaveBeenCalled();
    await settle(() => draft().save());
    expect(draft()).toMatchObject({ isDirty: false, error: null, faults: [] });
    expect(store.current().name).toBe('lory');
  });

  it('is not saved when others’ changes cannot be looked up', async () => {
    const { store, draft, edit, settle } = editRecord();
    store.read.mockRejectedValueOnce(new ParleyApiError('Gone', { status: 0, reason: 'unreachable' }));
    edit({ name: 'lory' });
    await settle(() => draft().save());
    expect(store.save).not.toHaveBeenCalled();
    expect(draft()).toMatchObject({ value: { name: 'lory' }, error: { reason: 'unreachable' } });
  });

  it('has no faults of fields for an error that names none', async () => {
    const { store, draft, edit, settle } = editRecord();
    store.save.mockRejectedValueOnce(new TypeError('broken'));
    edit({ name: 'lory' });
    await settle(() => draft().save());
    expect(draft()).toMatchObject({ error: { message: 'broken' }, faults: [] });
  });

  it('goes back to what was stored when it is discarded, without the error', async () => {
    const { store, draft, edit, settle } = editRecord();
    store.save.mockRejectedValueOnce(refused);
    edit({ name: 'lory' });
    await settle(() => draft().save());
    await settle(() => draft().discard());
    expect(draft()).toMatchObject({ value: { name: 'parrot' }, isDirty: false, error: null, faults: [] });
  });
});

describe('an unfinished text', () => {
  beforeEach(() => {
    localStorage.clear();
    accountStorage.use('ada');
  });
  afterAll(() => accountStorage.clear());

  const type = (draft: () => ReturnType<ReturnType<typeof editRecord>['draft']>, text: string | undefined) =>
    act(() => draft().typed.setText('note', text));
  /** The field is on the page, or not. */
  const showNote = () => {
    const field = document.createElement('div');
    field.dataset.field = 'note';
    document.body.append(field);
    onTestFinished(() => field.remove());
  };

  it('is an unsaved change, and is there after a reload', () => {
    const { draft, reload } = editRecord();
    type(draft, '{"a":');
    expect(draft()).toMatchObject({ isDirty: true, value: { note: '' } });
    const again = reload();
    expect(again.draft()).toMatchObject({ isDirty: true, restored: 'yes', typed: { texts: { note: '{"a":' } } });
    type(again.draft, undefined);
    expect(again.draft().isDirty).toBe(false);
    expect(again.reload().draft()).toMatchObject({ isDirty: false, restored: 'no', typed: { texts: {} } });
  });

  it('is not saved, and neither is the rest of the form until it is finished', async () => {
    showNote();
    const { store, draft, edit, settle } = editRecord();
    edit({ name: 'lory' });
    type(draft, '1e');
    await settle(() => draft().save());
    expect(store.save).not.toHaveBeenCalled();
    expect(draft()).toMatchObject({ isDirty: true, faults: [{ path: 'note', rule: 'unfinished' }] });
    type(draft, undefined);
    await settle(() => draft().save());
    expect(store.current().name).toBe('lory');
  });

  it('of a field that is not shown does not matter, and is dropped when the form is saved', async () => {
    const { store, draft, edit, settle } = editRecord();
    edit({ name: 'lory' });
    type(draft, '1e');
    await settle(() => draft().save());
    expect(store.current().name).toBe('lory');
    expect(draft()).toMatchObject({ isDirty: false, typed: { texts: {} } });
  });

  it('is dropped when the edits are discarded, or the form is left', () => {
    const { draft, reload } = editRecord();
    type(draft, '1e');
    act(() => draft().discard());
    expect(draft()).toMatchObject({ isDirty: false, typed: { texts: {} } });
    type(draft, '1e');
    act(() => draft().forget());
    expect(reload().draft().isDirty).toBe(false);
  });

  it('with a secret in it is not kept', () => {
    secretTexts.add('hunter2');
    const { draft, reload } = editRecord();
    type(draft, '{"password": "hunter2"');
    expect(JSON.stringify({ ...localStorage })).not.toContain('hunter2');
    expect(reload().draft().typed.texts).toEqual({});
  });
});

describe('a change by another user', () => {
  it('is shown at once if nothing was edited', () => {
    const { store, draft, refetch } = editRecord();
    store.change({ name: 'macaw' });
    refetch();
    expect(draft()).toMatchObject({ value: { name: 'macaw' }, isDirty: false });
  });

  it('does not replace edits', () => {
    const { store, draft, edit, refetch } = editRecord();
    edit({ note: 'mine' });
    store.change({ name: 'macaw' });
    refetch();
    expect(draft()).toMatchObject({ value: { name: 'parrot', note: 'mine' }, original: { name: 'parrot' } });
  });

  it('is shown once the edits are taken back', () => {
    const { store, draft, edit, refetch } = editRecord();
    edit({ note: 'mine' });
    store.change({ name: 'macaw' });
    refetch();
    edit({ note: '' });
    expect(draft()).toMatchObject({ value: { name: 'macaw', note: '' }, isDirty: false });
  });

  it('is not overwritten without a question', async () => {
    const { store, draft, edit, settle, onSaved } = editRecord();
    edit({ name: 'lory' });
    store.change({ name: 'macaw' });
    await settle(() => draft().save());
    expect(draft()).toMatchObject({ isDirty: true, value: { name: 'lory' }, error: null });
    expect(draft().conflict).toEqual([{ path: 'name', mine: 'lory', theirs: 'macaw' }]);
    expect(store.save).not.toHaveBeenCalled();
    expect(onSaved).not.toHaveBeenCalled();
  });

  it('asks nothing if only what is not edited here has changed', async () => {
    const { store, draft, edit, settle } = editRecord();
    edit({ name: 'lory' });
    store.change({ state: 'connected' });
    await settle(() => draft().save());
    expect(draft()).toMatchObject({ conflict: null, isDirty: false });
    expect(store.current()).toMatchObject({ name: 'lory', state: 'connected' });
  });

  it('is overwritten after the question', async () => {
    const { store, draft, edit, settle, onSaved } = editRecord();
    edit({ name: 'lory' });
    store.change({ name: 'macaw' });
    await settle(() => draft().save());
    await settle(() => draft().overwrite());
    expect(store.current().name).toBe('lory');
    expect(draft()).toMatchObject({ conflict: null, isDirty: false, value: { name: 'lory' } });
    expect(onSaved).toHaveBeenCalledOnce();
  });

  it('that the server notices between reading and writing is asked about', async () => {
    const { store, draft, edit, settle } = editRecord();
    edit({ name: 'lory' });
    store.save.mockImplementationOnce(async () => {
      store.change({ name: 'macaw' });
      throw changed;
    });
    await settle(() => draft().save());
    expect(draft().conflict).toEqual([{ path: 'name', mine: 'lory', theirs: 'macaw' }]);
    expect(store.current().name).toBe('macaw');
  });

  it('that the server notices in another part is no matter', async () => {
    const { store, draft, edit, settle } = editRecord();
    edit({ name: 'lory' });
    store.save.mockImplementationOnce(async () => {
      store.change({ state: 'connected' });
      throw changed;
    });
    await settle(() => draft().save());
    expect(store.current()).toMatchObject({ name: 'lory', state: 'connected' });
    expect(draft()).toMatchObject({ conflict: null, isDirty: false, error: null });
  });

  it('without end is an error', async () => {
    const { store, draft, edit, settle } = editRecord();
    edit({ name: 'lory' });
    store.save.mockRejectedValue(changed);
    await settle(() => draft().save());
    expect(store.save).toHaveBeenCalledTimes(3);
    expect(draft()).toMatchObject({ error: changed, value: { name: 'lory' } });
  });

  it('is asked about again when there was another one before it is overwritten', async () => {
    const { store, draft, edit, settle } = editRecord();
    edit({ name: 'lory' });
    store.change({ name: 'macaw' });
    await settle(() => draft().save());
    store.change({ name: 'galah' });
    await settle(() => draft().overwrite());
    expect(draft().conflict).toEqual([{ path: 'name', mine: 'lory', theirs: 'galah' }]);
    expect(store.save).not.toHaveBeenCalled();
  });

  it('is still there to choose when overwriting fails', async () => {
    const { store, draft, edit, settle } = editRecord();
    edit({ name: 'lory' });
    store.change({ name: 'macaw' });
    await settle(() => draft().save());
    store.save.mockRejectedValueOnce(refused);
    await settle(() => draft().overwrite());
    expect(draft()).toMatchObject({ conflict: [{ path: 'name' }], value: { name: 'lory' }, error: refused });
    expect(store.current().name).toBe('macaw');
  });

  it('replaces the edits when it is chosen', async () => {
    const { store, draft, edit, settle } = editRecord();
    edit({ name: 'lory' });
    store.change({ name: 'macaw' });
    await settle(() => draft().save());
    await settle(() => draft().takeTheirs());
    expect(draft()).toMatchObject({ conflict: null, isDirty: false, value: { name: 'macaw' } });
    expect(store.save).not.toHaveBeenCalled();
  });

  it('asks again if there was another one meanwhile', async () => {
    const { store, draft, edit, settle } = editRecord();
    edit({ name: 'lory' });
    store.change({ name: 'macaw' });
    await settle(() => draft().save());
    await settle(() => draft().takeTheirs());
    edit({ name: 'budgie' });
    store.change({ name: 'galah' });
    await settle(() => draft().save());
    expect(draft().conflict).toHaveLength(1);
    expect(store.current().name).toBe('galah');
  });

  it('that was fetched after the question is what is taken', async () => {
    const { store, draft, edit, settle, refetch } = editRecord();
    edit({ name: 'lory' });
    store.change({ name: 'macaw' });
    await settle(() => draft().save());
    store.change({ name: 'galah' });
    refetch();
    await settle(() => draft().takeTheirs());
    expect(draft()).toMatchObject({ conflict: null, isDirty: false, value: { name: 'galah' } });
  });

  it('that was fetched before the question does not replace what the question was about', async () => {
    const { store, draft, edit, settle, refetch } = editRecord();
    edit({ name: 'lory' });
    store.change({ name: 'macaw' });
    refetch();
    store.change({ name: 'galah' });
    await settle(() => draft().save());
    await settle(() => draft().takeTheirs());
    expect(draft()).toMatchObject({ conflict: null, isDirty: false, value: { name: 'galah' } });
  });

  it('is shown when the edits are discarded, with no question left', async () => {
    const { store, draft, edit, settle } = editRecord();
    edit({ name: 'lory' });
    store.change({ name: 'macaw' });
    await settle(() => draft().save());
    await settle(() => draft().discard());
    expect(draft()).toMatchObject({ conflict: null, isDirty: false, value: { name: 'macaw' } });
  });
});

describe('edits that were not saved', () => {
  beforeEach(() => {
    localStorage.clear();
    accountStorage.use('ada');
  });
  afterAll(() => accountStorage.clear());

  it('are there again after a reload', () => {
    const before = editRecord();
    before.edit({ note: 'mine' });
    expect(before.draft().restored).toBe('no');
    const { draft } = before.reload();
    expect(draft()).toMatchObject({ value: { name: 'parrot', note: 'mine' }, isDirty: true, restored: 'yes' });
  });

  it('are put on top of what was stored meanwhile, which is said', () => {
    const before = editRecord();
    before.edit({ note: 'mine' });
    before.store.change({ name: 'macaw' });
    const { draft } = before.reload();
    expect(draft()).toMatchObject({ value: { name: 'macaw', note: 'mine' }, restored: 'outdated' });
  });

  it.each<[string, (record: ReturnType<typeof editRecord>) => Promise<void>]>([
    ['saved', ({ settle, draft }) => settle(() => draft().save())],
    ['discarded', ({ settle, draft }) => settle(() => draft().discard())],
    ['left without saving', async ({ draft }) => act(() => draft().forget())],
  ])('are not there again when they were %s', async (_, finish) => {
    const before = editRecord();
    before.edit({ note: 'mine' });
    await finish(before);
    expect(before.reload().draft()).toMatchObject({ isDirty: false, restored: 'no' });
    expect(accountStorage.keys('')).toEqual([]);
  });

  it('are kept when saving fails', async () => {
    const before = editRecord();
    before.store.save.mockRejectedValueOnce(refused);
    before.edit({ note: 'mine' });
    await before.settle(() => before.draft().save());
    expect(before.reload().draft().value.note).toBe('mine');
  });

  it('stay when another tab opens the record', () => {
    const before = editRecord();
    const other = editRecord(before.store);
    before.edit({ note: 'mine' });
    before.store.change({ state: 'connected' });
    other.refetch();
    expect(before.reload().draft().value.note).toBe('mine');
  });

  it.each([
    ['garbage', 'x'],
    ['another form', { base: '1', changes: [{ path: ['gone'], value: 1 }] }],
    ['no changes', { base: '1' }],
    ['a list of texts', { base: '1', texts: ['{'] }],
    ['texts that are none', { base: '1', texts: { note: 7, name: null } }],
  ])('are ignored when storage has %s', (_, kept) => {
    tabItems.write('draft:parrot', kept);
    expect(editRecord().draft()).toMatchObject({ value: { name: 'parrot', note: '' }, isDirty: false, restored: 'no' });
  });

  it('are edited as always when storage is full', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    const { draft, edit } = editRecord();
    edit({ note: 'mine' });
    expect(draft()).toMatchObject({ value: { note: 'mine' }, isDirty: true });
    vi.restoreAllMocks();
  });
});
