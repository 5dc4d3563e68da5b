import { ParleyApiError } from '@parley/client';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { renderInConsole } from '../../../testing/render.tsx';
import { english } from '../../../testing/texts.ts';
import type { FieldDifference } from '../../lib/field-differences.ts';
import { SaveBar } from './save-bar.tsx';

const texts = english.common;
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const idle = {
  isDirty: false,
  isSaving: false,
  error: null as Error | null,
  conflict: null as FieldDifference[] | null,
  restored: 'no' as 'no' | 'yes' | 'outdated',
};

async function show(
  state: Partial<typeof idle>,
  properties: { failure?: string; acrossTabs?: boolean; labelOf?: (path: string) => string } = {},
) {
  const actions = { save: vi.fn(), overwrite: vi.fn(), takeTheirs: vi.fn(), discard: vi.fn(), forget: vi.fn() };
  const view = await renderInConsole(<SaveBar draft={{ ...idle, ...state, ...actions }} {...properties} />);
  return { ...view, ...actions, press: (name: string) => userEvent.click(button(name)) };
}

describe('the bar of a form', () => {
  it('has nothing to save before a change', async () => {
    await show({});
    expect(button(texts.save).disabled).toBe(true);
    expect(screen.queryByRole('button', { name: texts.discard })).toBeNull();
    expect(screen.getByRole('status').textContent).toBe('');
  });

  it('saves or discards changes', async () => {
    const { press, save, discard } = await show({ isDirty: true });
    expect(screen.getByRole('status').textContent).toBe(texts.unsaved);
    await press(texts.save);
    await press(texts.discard);
    expect([save, discard].map((action) => action.mock.calls.length)).toEqual([1, 1]);
  });

  it('saves once at a time', async () => {
    await show({ isDirty: true, isSaving: true });
    expect(button(texts.saving).disabled).toBe(true);
    expect(button(texts.discard).disabled).toBe(true);
  });

  it.each([
    ['in the language of the user', 'overloaded', english.reasons.overloaded],
    ['of the server where it says more', 'invalid_request', 'Name 3 is taken'],
    ['of the server for an unknown reason', 'made_up', 'Name 3 is taken'],
    ['about the connection', 'unreachable', english.errors.unreachable],
  ])('shows the text %s', async (_, reason, text) => {
    await show({ isDirty: true, error: new ParleyApiError('Name 3 is taken', { status: 400, reason }) });
    expect(within(screen.getByRole('alert')).getByText(text)).toBeTruthy();
  });

  it('shows no details of a fault of the console itself', async () => {
    await show({ isDirty: true, error: new TypeError('x is not a function') });
    expect(screen.getByRole('alert').textContent).toBe(english.errors.unknown);
  });

  it('shows what the page knows better', async () => {
    await show({ isDirty: true, error: new Error('refused') }, { failure: 'The third rule' });
    expect(screen.getByRole('alert').textContent).toBe('The third rule');
  });

  it('names the fields of a conflict as the form does', async () => {
    const form = document.createElement('div');
    form.innerHTML = '<div data-field="config.a"><label>Field of the form</label></div>';
    document.body.append(form);
    const paths = ['config.a', 'config.a.0.content', 'elsewhere'];
    const conflict = paths.map((path) => ({ path, mine: '1', theirs: '2' }));
    const names = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent);
    await show({ isDirty: true, conflict });
    expect(names()).toEqual(['Field of the form', 'Field of the form', 'elsewhere']);
    cleanup();
    await show({ isDirty: true, conflict }, { labelOf: (path: string) => `Known ${path}` });
    expect(names()).toEqual(paths.map((path) => `Known ${path}`));
    form.remove();
  });

  it('asks about a conflict', async () => {
    const { press, overwrite, takeTheirs, save } = await show({
      isDirty: true,
      conflict: [{ path: 'name', mine: 'lory', theirs: 'macaw' }],
    });
    expect(screen.getByRole('alert').textContent).toContain(texts.conflict);
    await press(texts.overwrite);
    await press(texts.takeTheirs);
    expect([overwrite, takeTheirs, save].map((action) => action.mock.calls.length)).toEqual([1, 1, 0]);
  });
});

describe('leaving the page', () => {
  const dialog = () => screen.queryByRole('dialog', { name: texts.leave });

  it('asks nothing before a change', async () => {
    const { router } = await show({});
    await act(() => router.navigate({ to: '/chat' }));
    expect(router.state.location.pathname).toBe('/chat');
    expect(dialog()).toBeNull();
  });

  it('asks before changes are lost, and stays', async () => {
    const { router, press } = await show({ isDirty: true });
    act(() => void router.navigate({ to: '/chat' }));
    await waitFor(() => expect(dialog()).not.toBeNull());
    await press(texts.stay);
    expect(dialog()).toBeNull();
    expect(router.state.location.pathname).toBe('/');
  });

  it('leaves if that is confirmed', async () => {
    const { router, press } = await show({ isDirty: true });
    act(() => void router.navigate({ to: '/chat' }));
    await waitFor(() => expect(dialog()).not.toBeNull());
    await press(texts.leaveConfirm);
    await waitFor(() => expect(router.state.location.pathname).toBe('/chat'));
  });

  it.each([
    ['asks when only the tab changes', false, '/?tab=other', true],
    ['asks nothing for a draft of the whole page when only the tab changes', true, '/?tab=other', false],
    ['asks for a draft of the whole page when the page changes', true, '/chat', true],
  ])('%s', async (_, acrossTabs, href, asks) => {
    const { router } = await show({ isDirty: true }, { acrossTabs });
    act(() => void router.navigate({ href }));
    if (asks) await waitFor(() => expect(dialog()).not.toBeNull());
    await waitFor(() => expect(router.state.location.href).toBe(asks ? '/' : href));
    expect(dialog() !== null).toBe(asks);
  });

  it.each([
    ['asks by closing the window', true],
    ['is free when nothing has changed', false],
  ])('%s', async (_, isDirty) => {
    await show({ isDirty });
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(isDirty);
  });
});
