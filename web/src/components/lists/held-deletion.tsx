import { useEffect, useRef } from 'react';
import { type SmallDeletion, useDeletion } from './use-deletion.ts';

interface HeldDeletionProps extends SmallDeletion {
  /** Leaves the page of the record. */
  onDeleted?: (() => unknown) | undefined;
  onClose: () => void;
}

/** Stands where larger deletions are confirmed: deletes at once, and can be undone. */
export function HeldDeletion({ onDeleted, onClose, ...deletion }: HeldDeletionProps) {
  const remove = useDeletion();
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current) return;
    isDone.current = true;
    remove(deletion);
    onClose();
    void onDeleted?.();
  });
  return null;
}
