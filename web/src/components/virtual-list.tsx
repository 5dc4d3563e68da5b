import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef, useState } from 'react';

interface VirtualListProps<Row> {
  label: string;
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Estimated height in pixels; the real height is measured. */
  estimatedHeight: number;
  children: (row: Row) => ReactNode;
  /** Called when the end scrolls into view. */
  onEnd?: () => void;
  /** Called with the first visible row when the user scrolls away from the top, and with null at the top. */
  onAway?: (first: Row | null) => void;
  /** Identifies the list, to restore its scroll position. */
  place?: string;
}

/** Scroll positions of lists, with the heights of their rows; until the page is closed. */
const places = new Map<string, { offset: number; sizes: VirtualItem[] }>();

/** A long list that renders only visible rows, in its own scroll box. */
export function VirtualList<Row>({
  label,
  rows,
  rowKey,
  estimatedHeight,
  children,
  onEnd,
  onAway,
  place,
}: VirtualListProps<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const [left] = useState(() => (place === undefined ? undefined : places.get(place)));
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => estimatedHeight,
    getItemKey: (index) => rowKey(rows[index] as Row),
    overscan: 8,
    ...(left !== undefined && { initialOffset: left.offset, initialMeasurementsCache: left.sizes }),
  });
  const items = list.getVirtualItems();
  const isAtEnd = (items.at(-1)?.index ?? -1) >= rows.length - 10;
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, onEnd]);
  useEffect(() => {
    if (place === undefined) return;
    return () => {
      places.set(place, { offset: list.scrollOffset ?? 0, sizes: list.measurementsCache });
    };
  }, [place, list]);

  const isAway = (list.scrollOffset ?? 0) > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was first when it was left is asked for, nothing later
  useEffect(() => {
    if (onAway === undefined) return;
    onAway(isAway ? (rows[list.range?.startIndex ?? 0] ?? null) : null);
  }, [isAway, onAway]);

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <div ref={box} tabIndex={0} className="h-full overflow-y-auto overscroll-contain rounded-2xl border bg-card">
      <ul aria-label={label} className="relative" style={{ height: list.getTotalSize() }}>
        {items.map((item) => (
          <li
            key={item.key}
            ref={list.measureElement}
            data-index={item.index}
            aria-setsize={rows.length}
            aria-posinset={item.index + 1}
            className="absolute inset-x-0 top-0 border-b"
            style={{ transform: `translateY(${item.start}px)` }}
          >
            {children(rows[item.index] as Row)}
          </li>
        ))}
      </ul>
    </div>
  );
}
