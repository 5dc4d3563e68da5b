import { useEffect, useRef, useState } from 'react';
import { changesBetween, type KeptChange, keptChangesIn, withChanges } from './kept-changes.ts';
import { secretTexts } from './secret-texts.ts';
import { tabItems } from './tab-items.ts';
import { requireValues, typedTextsIn, useTypedTexts } from './typed-texts.ts';

/** Unsaved input of a form, as it is kept in the browser: without secrets. */
export interface KeptDraft {
  changes: KeptChange[];
  /** Of fields with an unfinished text, see `TypedTexts`. */
  texts: Readonly<Record<string, string>>;
  /** `updated_at` of the record when editing began; empty for a new record. */
  base: string;
}

/** Unsaved input of the signed-in account, by the name of the form. It survives reloads, and is removed on sign-out.
 * Each tab has its own, see `tabItems`. */
export const keptDrafts = {
  read(name: string): KeptDraft | null {
    const stored = tabItems.read(keyOf(name));
    if (typeof stored !== 'object' || stored === null) return null;
    const { changes, texts, base } = stored as Record<string, unknown>;
    return ifAny({
      changes: keptChangesIn(changes),
      texts: typedTextsIn(texts),
      base: typeof base === 'string' ? base : '',
    });
  },
  write(name: string, draft: KeptDraft): void {
    const texts = Object.entries(draft.texts).filter(([, text]) => !secretTexts.isPartOf(text));
    const kept = ifAny({ ...draft, texts: Object.fromEntries(texts) });
    if (kept === null) keptDrafts.remove(name);
    else tabItems.write(keyOf(name), kept);
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
  const [kept] = useState(() => keptDrafts.read(name));
  const [value, change] = useState(() => withChanges(first, kept?.changes ?? []));
  const typed = useTypedTexts(kept?.texts);
  const { texts } = typed;
  const isForgotten = useRef(false);
  const isTouched = JSON.stringify(value) !== JSON.stringify(first) || !typed.isEmpty;
  const shown = useRef({ value, texts });
  useEffect(() => {
    if (value === shown.current.value && texts === shown.current.texts) return;
    shown.current = { value, texts };
    if (!isForgotten.current) keptDrafts.write(name, { changes: changesBetween(first, value), texts, base: '' });
  }, [name, first, value, texts]);
  useEffect(() => () => keptDrafts.release(name), [name]);
  return {
    value,
    change,
    isTouched,
    typed,
    /** @throws ParleyApiError while a field has an unfinished text */
    requireValues: () => requireValues(typed),
    /** Starts again. */
    reset() {
      change(first);
      typed.drop();
    },
    /** Removes what is kept: it was saved. Later changes are kept again. */
    drop: () => keptDrafts.remove(name),
    /** Removes what is kept: the record was created, or the user has left the form. */
    forget() {
      isForgotten.current = true;
      keptDrafts.remove(name);
    },
  };
}

function ifAny(draft: KeptDraft): KeptDraft | null {
  return draft.changes.length === 0 && Object.keys(draft.texts).length === 0 ? null : draft;
}

function keyOf(name: string): string {
  return `draft:${name}`;
}
