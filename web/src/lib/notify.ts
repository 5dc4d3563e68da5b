import i18next from 'i18next';
import { errorText } from './error-text.ts';

/**
 * What shows notes is not loaded with the first page, which says nothing in the corner, but with whichever comes after:
 * by the time the connection is lost it is there.
 */
export const notes = {
  isNeeded: () => isNeeded,
  need(): void {
    if (isNeeded) return;
    isNeeded = true;
    // Now, while the server can be reached: what is said later may be that it cannot.
    void import('sonner').catch(() => undefined);
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

let isNeeded = false;
const listeners = new Set<() => void>();

/** Says in a corner that something was done, or why it was not. */
export const notify = {
  done(text: string, undo?: { label: string; onClick: () => void }): void {
    void toasts().then((toast) => toast.success(text, undo === undefined ? {} : { action: undo }));
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
