import { ParleyApiError, type ParleyApiErrorDetail } from '@parley/client';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

interface DraftOptions<Stored extends { updated_at: string }, Value> {
  /** As it was read last. It may be read anew at any time. */
  stored: Stored;
  /** What can be edited of it. */
  contentOf: (stored: Stored) => Value;
  /** Reads it again, to see whether somebody changed it meanwhile. */
  read: () => Promise<Stored>;
  save: (value: Value) => Promise<unknown>;
  onSaved?: () => void;
}

/**
 * What somebody makes of a record before it is saved. A save that fails loses nothing; one that would overwrite what
 * another person or tab saved meanwhile asks first.
 */
export function useDraft<Stored extends { updated_at: string }, Value>({
  stored,
  contentOf,
  read,
  save,
  onSaved,
}: DraftOptions<Stored, Value>) {
  const [base, setBase] = useState(stored);
  const [value, setValue] = useState(() => contentOf(stored));
  /** What is stored now, where that is not what was edited. */
  const [conflict, setConflict] = useState<Stored | null>(null);
  const isDirty = JSON.stringify(value) !== JSON.stringify(contentOf(base));

  // What others change shows at once as long as nothing is lost by it.
  useEffect(() => {
    if (stored.updated_at === base.updated_at || isDirty) return;
    setBase(stored);
    setValue(contentOf(stored));
  }, [stored, base, isDirty, contentOf]);

  const saving = useMutation({
    mutationFn: async ({ overwrite }: { overwrite: boolean }) => {
      const current = await read();
      // Another part of the record may have changed; that is nothing to ask about.
      const isOther = () => JSON.stringify(contentOf(current)) !== JSON.stringify(contentOf(base));
      if (!overwrite && current.updated_at !== base.updated_at && isOther()) {
        setConflict(current);
        return false;
      }
      await save(value);
      const saved = await read();
      setConflict(null);
      setBase(saved);
      setValue(contentOf(saved));
      return true;
    },
    onSuccess: (isSaved) => {
      if (isSaved) onSaved?.();
    },
  });

  const takeTheirs = () => {
    if (conflict === null) return;
    setBase(conflict);
    setValue(contentOf(conflict));
    setConflict(null);
    saving.reset();
  };

  return {
    value,
    change: setValue,
    /** What was stored when the editing began. */
    original: contentOf(base),
    isDirty,
    isSaving: saving.isPending,
    error: saving.error,
    faults: faultsOf(saving.error),
    hasConflict: conflict !== null,
    save: () => saving.mutate({ overwrite: false }),
    overwrite: () => saving.mutate({ overwrite: true }),
    takeTheirs,
    discard: () => {
      setValue(contentOf(base));
      saving.reset();
    },
  };
}

/** What the server said is wrong with single fields. */
export function faultsOf(error: unknown): readonly ParleyApiErrorDetail[] {
  return error instanceof ParleyApiError ? error.details : [];
}
