import { ParleyApiError, type ParleyApiErrorDetail, type Tagged } from '@parley/client';
import { useMutation } from '@tanstack/react-query';
import i18next from 'i18next';
import { useEffect, useRef, useState } from 'react';
import { faultText } from './error-text.ts';
import { fieldDifferences } from './field-differences.ts';
import { changesBetween, withChanges } from './kept-changes.ts';
import { type KeptDraft, keptDrafts } from './kept-drafts.ts';
import { type IfMatch, saveIfKnown } from './save-if-known.ts';
import { isFieldShown, requireValues, useTypedTexts } from './typed-texts.ts';

interface DraftOptions<Stored extends { updated_at: string }, Value> {
  /** Unique among forms: the edits are kept under it in the browser, without secrets. */
  name: string;
  /** The last fetched state. It may be refetched at any time. */
  stored: Stored;
  /** The editable part of it. */
  contentOf: (stored: Stored) => Value;
  /** Refetches it, to detect concurrent changes. */
  read: () => Promise<Tagged<Stored>>;
  /** @param headers make the server refuse it if the record was changed after `read` */
  save: (value: Value, headers: IfMatch) => Promise<unknown>;
  onSaved?: () => void;
  /** Whether the form has a field, also on a tab that is not open. Default: whether the page shows it. */
  isShown?: (path: string, value: Value) => boolean;
}

/**
 * The unsaved edits of a record. A failed save loses nothing, and a reload no more than secrets; a save that would
 * overwrite a concurrent change asks first.
 */
export function useDraft<Stored extends { updated_at: string }, Value>({
  name,
  stored,
  contentOf,
  read,
  save,
  onSaved,
  isShown = isFieldShown,
}: DraftOptions<Stored, Value>) {
  const [kept] = useState(() => keptDrafts.read(name));
  const [base, setBase] = useState(stored);
  const [value, setValue] = useState(() => withChanges(contentOf(stored), kept?.changes ?? []));
  /** Whether the edits are from before a reload, and the record has been changed since. */
  const [restored, setRestored] = useState<Restored>(() => restoredFrom(kept, stored.updated_at));
  /** The stored state, if it differs from the edited one. */
  const [conflict, setConflict] = useState<Stored | null>(null);
  const typed = useTypedTexts(kept?.texts);
  const { texts } = typed;
  const isInForm = (path: string) => isShown(path, value);
  const isDirty = JSON.stringify(value) !== JSON.stringify(contentOf(base)) || !typed.isEmpty;

  const wasDirty = useRef(false);
  const isForgotten = useRef(false);
  const shown = useRef({ value, texts });
  useEffect(() => {
    const isUntouched = value === shown.current.value && texts === shown.current.texts;
    shown.current = { value, texts };
    if (isDirty && !isForgotten.current) {
      // What was restored is there already, perhaps of another tab.
      if (!isUntouched)
        keptDrafts.write(name, { changes: changesBetween(contentOf(base), value), texts, base: base.updated_at });
    } else if (wasDirty.current) {
      // Not before: another tab may have edits of the same record.
      keptDrafts.remove(name);
      setRestored('no');
    }
    wasDirty.current = isDirty;
  }, [name, base, value, texts, isDirty, contentOf]);

  useEffect(() => () => keptDrafts.release(name), [name]);

  const fetched = useRef(stored.updated_at);
  fetched.current = stored.updated_at;
  /** The fetched state that is shown already, or older than one that was read since. */
  const outdated = useRef(stored.updated_at);
  const readNow = async () => {
    const current = await read();
    outdated.current = fetched.current;
    return current;
  };

  // Concurrent changes are shown immediately if no edits are lost.
  useEffect(() => {
    if (stored.updated_at === outdated.current || isDirty) return;
    outdated.current = stored.updated_at;
    setBase(stored);
    setValue(contentOf(stored));
  }, [stored, isDirty, contentOf]);

  const saving = useMutation({
    mutationFn: async ({ overwrite }: { overwrite: boolean }) => {
      requireValues(typed, isInForm);
      const known = overwrite && conflict !== null ? conflict : base;
      const theirs = await saveIfKnown({
        read: readNow,
        // Another part of the record may have changed, which needs no confirmation.
        isKnown: (current) =>
          current.updated_at === known.updated_at ||
          JSON.stringify(contentOf(current)) === JSON.stringify(contentOf(known)),
        save: (headers) => save(value, headers),
      });
      if (theirs !== null) {
        setConflict(theirs);
        return false;
      }
      const { data: saved } = await readNow();
      setConflict(null);
      setBase(saved);
      // What was typed meanwhile is not saved.
      setValue((latest) => (latest === value ? contentOf(saved) : latest));
      typed.drop((path) => !isInForm(path));
      return true;
    },
    onSuccess: (isSaved) => {
      if (isSaved) onSaved?.();
    },
  });

  /** Drops the edits. */
  const discard = () => {
    const current = conflict ?? base;
    setBase(current);
    setValue(contentOf(current));
    typed.drop();
    setConflict(null);
    saving.reset();
  };

  return {
    value,
    change: setValue,
    typed,
    /** @throws ParleyApiError while a field has an unfinished text */
    requireValues: () => requireValues(typed, isInForm),
    /** The stored state when editing started. */
    original: contentOf(base),
    isDirty,
    isSaving: saving.isPending,
    error: saving.error,
    faults: faultsOf(saving.error),
    /** In which fields the edits differ from the stored state, after another user has changed it; otherwise null. */
    conflict: conflict === null ? null : fieldDifferences(value, contentOf(conflict)),
    /** Whether the edits are from an earlier visit; `outdated` if the record was changed since. */
    restored: isDirty ? restored : 'no',
    save: () => saving.mutate({ overwrite: false }),
    /** @returns whether it was saved; not if there is a conflict to be shown first. Errors are also in `error`. */
    saveNow: () => saving.mutateAsync({ overwrite: false }),
    overwrite: () => saving.mutate({ overwrite: true }),
    takeTheirs: discard,
    discard,
    /** Removes what is kept: the user leaves without saving. */
    forget() {
      isForgotten.current = true;
      keptDrafts.remove(name);
    },
  };
}

type Restored = 'no' | 'yes' | 'outdated';

function restoredFrom(kept: KeptDraft | null, updatedAt: string): Restored {
  if (kept === null) return 'no';
  return kept.base === updatedAt ? 'yes' : 'outdated';
}

/** Errors of the server for single fields, in the user's language. */
export function faultsOf(error: unknown): readonly ParleyApiErrorDetail[] {
  if (!(error instanceof ParleyApiError)) return [];
  return error.details.map((detail) => ({ ...detail, message: faultText(detail, i18next.t) }));
}
