import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeLayout } from '../../testing/fake-layout.ts';
import { VirtualList } from './virtual-list.tsx';

const rowHeight = 50;
const label = 'Ships';

beforeEach(() => fakeLayout({ row: rowHeight, box: 500 }));

const rowsUpTo = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `r${index}` }));

function show(count: number, properties: Partial<Parameters<typeof VirtualList<{ id: string }>>[0]> = {}) {
  const list = (rows: { id: string }[], others = properties) => (
    <VirtualList label={label} rows={rows} rowKey={({ id }) => id} estimatedHeight={rowHeight} {...others}>
      {({ id }) => <span>{id}</span>}
    </VirtualList>
  );
  const view = render(list(rowsUpTo(count)));
  return {
    ...view,
    grow: (to: number) => view.rerender(list(rowsUpTo(to))),
    become: (rows: { id: string }[]) => view.rerender(list(rows)),
    scrollTo(row: number) {
      const box = view.container.firstElementChild as HTMLElement;
      box.scrollTop = row * rowHeight;
      fireEvent.scroll(box);
    },
  };
}

const shown = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

describe('a long list', () => {
  it('has only the rows that are seen, and some around them', () => {
    const { scrollTo } = show(10_000);
    expect(shown()[0]).toBe('r0');
    expect(shown().length).toBeLessThan(30);
    scrollTo(5000);
    expect(shown()).toContain('r5000');
    expect(shown()).toContain('r5009');
    expect(shown()).not.toContain('r0');
    expect(shown().length).toBeLessThan(40);
  });

  it('is as high as all its rows', () => {
    show(10_000);
    expect(screen.getByRole('list', { name: label }).style.height).toBe('500000px');
  });

  it('tells screen readers which rows of how many there are', () => {
    const { scrollTo } = show(1000);
    scrollTo(500);
    const row = screen.getByText('r500').closest('li') as HTMLElement;
    expect([row.getAttribute('aria-posinset'), row.getAttribute('aria-setsize')]).toEqual(['501', '1000']);
  });

  it('can be scrolled with the keyboard', () => {
    const { container } = show(1000);
    expect((container.firstElementChild as HTMLElement).tabIndex).toBe(0);
  });

  it('has no rows when it is empty', () => {
    show(0);
    expect(screen.queryAllByRole('listitem')).toEqual([]);
  });

  it('shows what remains when it becomes shorter than where it was scrolled to', () => {
    const { scrollTo, grow } = show(1000);
    scrollTo(900);
    grow(5);
    expect(shown()).toEqual(['r0', 'r1', 'r2', 'r3', 'r4']);
  });

  it('follows rows by their keys when others come before them', () => {
    const { become } = show(100);
    const element = screen.getByText('r3').closest('li');
    become([{ id: 'new' }, ...rowsUpTo(100)]);
    expect(screen.getByText('r3').closest('li')).toBe(element);
    expect(element?.getAttribute('aria-posinset')).toBe('5');
  });
});

describe('the end of a list', () => {
  it('is reported when it comes near, not before', () => {
    const onEnd = vi.fn();
    const { scrollTo } = show(1000, { onEnd });
    expect(onEnd).not.toHaveBeenCalled();
    scrollTo(985);
    expect(onEnd).toHaveBeenCalledOnce();
  });

  it('is reported at once for a list that fits', () => {
    const onEnd = vi.fn();
    show(5, { onEnd });
    expect(onEnd).toHaveBeenCalledOnce();
  });

  it('is reported again after more was loaded', () => {
    const onEnd = vi.fn();
    const { scrollTo, grow } = show(1000, { onEnd });
    scrollTo(990);
    grow(2000);
    expect(onEnd).toHaveBeenCalledOnce();
    scrollTo(1990);
    expect(onEnd).toHaveBeenCalledTimes(2);
  });
});

describe('scrolling away from the top', () => {
  it('reports the first row that is seen, and the return', () => {
    const onAway = vi.fn();
    const { scrollTo } = show(1000, { onAway });
    expect(onAway.mock.calls).toEqual([[null]]);
    scrollTo(20);
    expect(onAway).toHaveBeenLastCalledWith({ id: 'r20' });
    scrollTo(40);
    expect(onAway).toHaveBeenCalledTimes(2);
    scrollTo(0);
    expect(onAway).toHaveBeenLastCalledWith(null);
  });
});

describe('the place in a list', () => {
  const open = (place?: string) => show(1000, place === undefined ? {} : { place });

  it('is found again when the list is opened again', async () => {
    const { scrollTo, unmount } = open('a place');
    scrollTo(600);
    act(() => unmount());
    open('a place');
    expect(shown()).toContain('r600');
  });

  it.each([
    ['of another list', 'another place'],
    ['of a list without a place', undefined],
  ])('%s is the top', (_, place) => {
    const { scrollTo, unmount } = open('a place');
    scrollTo(600);
    act(() => unmount());
    open(place);
    expect(shown()[0]).toBe('r0');
  });
});
