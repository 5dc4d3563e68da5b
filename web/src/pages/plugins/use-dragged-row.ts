import { type PointerEvent, useEffect, useRef, useState } from 'react';

interface DraggedRowOptions {
  /** Shows a row at another place. @returns the order that follows */
  place: (id: string, to: number) => readonly string[];
  dropped: (id: string, order: readonly string[]) => void;
}

/** Moves rows of a list with the pointer. Each child of the list is a row. */
export function useDraggedRow({ place, dropped }: DraggedRowOptions) {
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<string | null>(null);
  const actions = useRef({ place, dropped });
  actions.current = { place, dropped };

  useEffect(() => {
    if (dragged === null) return;
    const scope = new AbortController();
    let order: readonly string[] | null = null;
    const move = ({ clientY }: globalThis.PointerEvent) => {
      const to = rowAt(list.current, clientY);
      if (to !== null && order?.indexOf(dragged) !== to) order = actions.current.place(dragged, to);
    };
    const end = () => {
      setDragged(null);
      if (order !== null) actions.current.dropped(dragged, order);
    };
    // The row moves in the document while it is dragged, so it cannot capture the pointer.
    document.addEventListener('pointermove', move, { signal: scope.signal });
    document.addEventListener('pointerup', end, { signal: scope.signal });
    document.addEventListener('pointercancel', end, { signal: scope.signal });
    return () => scope.abort();
  }, [dragged]);

  return {
    list,
    dragged,
    grab(id: string, event: PointerEvent): void {
      if (event.button !== 0) return;
      setDragged(id);
    },
  };
}

/** Index of the row at a height of the window; null where there are no rows. */
function rowAt(list: HTMLElement | null, y: number): number | null {
  const rows = [...(list?.children ?? [])].map((row) => row.getBoundingClientRect());
  if (rows.length === 0) return null;
  const index = rows.findIndex(({ bottom }) => y < bottom);
  return index === -1 ? rows.length - 1 : index;
}
