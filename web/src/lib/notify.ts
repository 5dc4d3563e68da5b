import i18next from 'i18next';
import { toast } from 'sonner';
import { errorText } from './error-text.ts';

/** Says in a corner that something was done, or why it was not. */
export const notify = {
  done(text: string, undo?: { label: string; onClick: () => void }): void {
    toast.success(text, undo === undefined ? {} : { action: undo });
  },
  failed(error: unknown): void {
    toast.error(errorText(error, i18next.t));
  },
};
