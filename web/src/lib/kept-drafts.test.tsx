import { act, renderHook } from '@testing-library/react';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { accountStorage } from './account-storage.ts';
import { useKeptInput } from './kept-drafts.ts';

beforeEach(() => {
  localStorage.clear();
  accountStorage.use('ada');
});
afterAll(() => accountStorage.clear());

/** A form of a new record. */
function enter() {
  const { result, unmount } = renderHook(() => useKeptInput('new', () => ({ name: '', rounds: 3 })));
  return {
    input: () => result.current,
    type: (text: string | undefined) => act(() => result.current.typed.setText('rounds', text)),
    /** The page is loaded again. */
    reload() {
      unmount();
      return enter();
    },
  };
}

it('an unfinished text is kept beside the values, until it is finished', () => {
  const before = enter();
  act(() => before.input().change({ name: 'parrot', rounds: 3 }));
  before.type('1e');
  const after = before.reload();
  expect(after.input()).toMatchObject({
    value: { name: 'parrot', rounds: 3 },
    isTouched: true,
    typed: { texts: { rounds: '1e' } },
  });
  after.type(undefined);
  expect(after.reload().input()).toMatchObject({ value: { name: 'parrot' }, typed: { texts: {} } });
});

it.each<[string, (input: ReturnType<ReturnType<typeof enter>['input']>) => void]>([
  ['reset', (input) => input.reset()],
  ['sent', (input) => input.drop()],
  ['left', (input) => input.forget()],
])('an unfinished text is not kept when the form is %s', (_, end) => {
  const before = enter();
  before.type('1e');
  expect(accountStorage.keys('')).toHaveLength(1);
  act(() => end(before.input()));
  expect(accountStorage.keys('')).toEqual([]);
  expect(before.reload().input()).toMatchObject({ isTouched: false, typed: { texts: {} } });
});

it('a form with an unfinished text in a field that is shown cannot be sent', () => {
  const { input, type } = enter();
  type('1e');
  expect(() => input().requireValues()).not.toThrow();
  const field = document.createElement('div');
  field.dataset.field = 'rounds';
  document.body.append(field);
  expect(() => input().requireValues()).toThrow(
    expect.objectContaining({ reason: 'invalid_request', details: [expect.objectContaining({ path: 'rounds' })] }),
  );
  field.remove();
});
