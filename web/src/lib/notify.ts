import i18next from 'i18next';
import { errorText } from './error-text.ts';

/**
 * Toasts are not part of the first page, which shows none; they are preloaded afterwards, to be available when the
 * connection is lost.
 */
export const notes = {
  isNeeded: () => isNeeded,
  need(): void {
    if (isNeeded) return;
    isNeeded = true;
    // Preloaded now: later the server may be unreachable.
    void import('sonner').catch(() => undefined);
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

let isNeeded = false;
let lastUndo = 0;
const listeners = new Set<() => void>();

/** Shows a toast for a success, a warning or an error. */
export const notify = {
  done(text: string, undo?: { label: string; onClick: () => void }): void {
    void toasts().then((toast) => toast.success(text, undo === undefined ? {} : { action: undo }));
  },
  /**
   * Shows a toast that offers to undo what it says, until that is no longer possible.
   * @returns removes it
   */
  undoable(text: string, undo: { label: string; onClick: () => void }): () => void {
    lastUndo += 1;
    const id = `undo-${lastUndo}`;
    let isOver = false;
    void toasts().then((toast) => {
      if (!isOver) toast.success(text, { id, duration: Number.POSITIVE_INFINITY, action: undo });
    });
    return () => {
      isOver = true;
      void toasts().then((toast) => toast.dismiss(id));
    };
  },
  warn(text: string): void {
    void toasts().then((toast) => toast.warning(text, { duration: 6_000 }));
  },
  failed(error: unknown): void {
    const text = errorText(error, i18next.t);
    void toasts().then((toast) => toast.error(text));
  },
};

async function toasts() {
  notes.need();
  return (await import('sonner')).toast;
}
