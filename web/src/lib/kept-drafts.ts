import { useEffect, useRef, useState } from 'react';
import { changesBetween, type KeptChange, keptChangesIn, withChanges } from './kept-changes.ts';
import { tabItems } from './tab-items.ts';

/** Unsaved input of a form, as it is kept in the browser: without secrets. */
export interface KeptDraft {
  changes: KeptChange[];
  /** `updated_at` of the record when editing began; empty for a new record. */
  base: string;
}

/** Unsaved input of the signed-in account, by the name of the form. It survives reloads, and is removed on sign-out.
 * Each tab has its own, see `tabItems`. */
export const keptDrafts = {
  read(name: string): KeptDraft | null {
    const stored = tabItems.read(keyOf(name));
    if (typeof stored !== 'object' || stored === null) return null;
    const { changes, base } = stored as Record<string, unknown>;
    const valid = keptChangesIn(changes);
    return valid.length === 0 ? null : { changes: valid, base: typeof base === 'string' ? base : '' };
  },
  write(name: string, draft: KeptDraft): void {
    if (draft.changes.length === 0) keptDrafts.remove(name);
    else tabItems.write(keyOf(name), draft);
  },
  remove(name: string): void {
    tabItems.remove(keyOf(name));
  },
  /** The form is not shown any more. What is kept stays. */
  release(name: string): void {
    tabItems.release(keyOf(name));
  },
};

/**
 * State of a form for a new record, which survives reloads until it is forgotten.
 * @param name unique among forms
 * @param initial an object; only its keys are kept
 */
export function useKeptInput<Value extends object>(name: string, initial: () => Value) {
  const [first] = useState(initial);
  const [value, change] = useState(() => withChanges(first, keptDrafts.read(name)?.changes ?? []));
  const isForgotten = useRef(false);
  const isTouched = JSON.stringify(value) !== JSON.stringify(first);
  const shown = useRef(value);
  useEffect(() => {
    if (value === shown.current) return;
    shown.current = value;
    if (!isForgotten.current) keptDrafts.write(name, { changes: changesBetween(first, value), base: '' });
  }, [name, first, value]);
  useEffect(() => () => keptDrafts.release(name), [name]);
  return {
    value,
    change,
    isTouched,
    /** Starts again. */
    reset: () => change(first),
    /** Removes what is kept: it was saved. Later changes are kept again. */
    drop: () => keptDrafts.remove(name),
    /** Removes what is kept: the record was created, or the user has left the form. */
    forget() {
      isForgotten.current = true;
      keptDrafts.remove(name);
    },
  };
}

function keyOf(name: string): string {
  return `draft:${name}`;
}
