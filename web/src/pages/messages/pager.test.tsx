import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { english, fill } from '../../../testing/texts.ts';
import { Pager } from './pager.tsx';

const texts = english.messages.pager;

function show(page: number, total: number) {
  const onChange = vi.fn();
  render(<Pager page={page} total={total} onChange={onChange} />);
  const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
  return { onChange, newer: () => button(texts.newer), older: () => button(texts.older) };
}

it.each([0, 1, 50])('is not there for %d rows', (total) => {
  show(1, total);
  expect(screen.queryByRole('navigation')).toBeNull();
});

it.each([
  [1, 51, 2, [true, false]],
  [2, 51, 2, [false, true]],
  [2, 101, 3, [false, false]],
  [20, 1000, 20, [false, true]],
])('on page %d of %d rows names %d pages and offers what there is', (page, total, last, disabled) => {
  const { newer, older } = show(page, total);
  expect(screen.getByRole('status').textContent).toBe(fill(english.lists.pager.page, { page, last }));
  expect([newer().disabled, older().disabled]).toEqual(disabled);
});

it('turns to the pages beside', async () => {
  const { onChange, newer, older } = show(2, 150);
  await userEvent.click(newer());
  await userEvent.click(older());
  expect(onChange.mock.calls).toEqual([[1], [3]]);
});

it.each([
  [9, 120, 3],
  [9, 0, 1],
])('leads back from page %d, which is behind the end of %d rows, to page %d', async (page, total, last) => {
  const { onChange, newer, older } = show(page, total);
  expect(older().disabled).toBe(true);
  await userEvent.click(newer());
  expect(onChange.mock.calls).toEqual([[last]]);
});
