import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { heldDeletions } from '../../lib/held-deletions.ts';
import { notify } from '../../lib/notify.ts';

export interface SmallDeletion {
  /** The records, as their lists name them: `bots/<uuid>`. */
  keys: readonly string[];
  /** Says what was deleted. */
  text: string;
  /** @param keepalive whether the request must outlive the page */
  send: (keepalive: boolean) => Promise<unknown>;
  /** Reads again what shows the records. */
  refresh: () => Promise<unknown>;
}

/** Deletes records at once, and offers to undo that for some seconds. */
export function useDeletion(): (deletion: SmallDeletion) => void {
  const { t } = useTranslation();
  return ({ keys, text, send, refresh }) => {
    const undo = heldDeletions.hold({
      keys,
      send,
      settled: (error) => {
        dismiss();
        if (error !== null) notify.failed(error);
        return refresh();
      },
    });
    const dismiss = notify.undoable(text, { label: t('lists.undo'), onClick: undo });
  };
}

/** The records that are about to be deleted, which lists leave out. */
export function useHeldKeys(): ReadonlySet<string> {
  return useSyncExternalStore(heldDeletions.subscribe, heldDeletions.keys);
}
