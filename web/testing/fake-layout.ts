import { vi } from 'vitest';

/** Gives elements sizes, which a DOM without layout does not have: `li` elements that of a row, others that of a box. */
export function fakeLayout({ row, box }: { row: number; box: number }): void {
  function heightOf(this: HTMLElement): number {
    return this.tagName === 'LI' ? row : box;
  }
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(heightOf);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockImplementation(heightOf);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800);
}
