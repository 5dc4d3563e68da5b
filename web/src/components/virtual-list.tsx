import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';

interface VirtualListProps<Row> {
  label: string;
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Roughly, in pixels; the real height is measured. */
  estimatedHeight: number;
  children: (row: Row) => ReactNode;
  /** Called when the end comes into view. */
  onEnd?: () => void;
}

/** A long list of which only what is in view is drawn. It scrolls in its own box. */
export function VirtualList<Row>({ label, rows, rowKey, estimatedHeight, children, onEnd }: VirtualListProps<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => estimatedHeight,
    getItemKey: (index) => rowKey(rows[index] as Row),
    overscan: 8,
  });
  const items = list.getVirtualItems();
  const isAtEnd = (items.at(-1)?.index ?? -1) >= rows.length - 10;
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, onEnd]);
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
