import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../lib/error-text.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { UnsavedChanges } from './unsaved-changes.tsx';

interface CreateFormProps {
  /** Makes the record. */
  create: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'isSuccess' | 'error'>;
  /** Whether something was typed that would be lost. */
  isTouched: boolean;
  /** What the button says. */
  label: string;
  /** Asked before anything is sent: whether it may be. */
  mayBeSent?: () => boolean;
  /** In place of the words of the error. */
  refusal?: (error: Error) => ReactNode;
  children: ReactNode;
}

/** Makes a record of what is typed, which stays when it is not taken. */
export function CreateForm({ create, isTouched, label, mayBeSent, refusal, children }: CreateFormProps) {
  const { t } = useTranslation();
  const { error } = create;
  return (
    <form
      noValidate
      className="max-w-2xl space-y-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (mayBeSent?.() !== false && !create.isPending) create.mutate();
      }}
    >
      <UnsavedChanges when={isTouched && !create.isSuccess} />
      {children}
      {error !== null && (refusal?.(error) ?? <Alert>{errorText(error, t)}</Alert>)}
      <Button type="submit" disabled={create.isPending}>
        {create.isPending ? t('common.saving') : label}
      </Button>
    </form>
  );
}
