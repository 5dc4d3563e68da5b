import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { useKeptInput } from '../../lib/kept-drafts.ts';
import { FailureAlert } from '../failure/failure-alert.tsx';
import { Button } from '../ui/button.tsx';
import { UnsavedChanges } from './unsaved-changes.tsx';

interface CreateFormProps {
  /** Creates the record. */
  create: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'isSuccess' | 'error'>;
  input: Pick<ReturnType<typeof useKeptInput>, 'isTouched' | 'forget'>;
  /** Label of the button. */
  label: string;
  /** Checked before submitting. */
  mayBeSent?: () => boolean;
  /** Replaces the error text. */
  refusal?: (error: Error) => ReactNode;
  children: ReactNode;
}

/** Creates a record; the input stays if it fails. */
export function CreateForm({ create, input, label, mayBeSent, refusal, children }: CreateFormProps) {
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
      <UnsavedChanges when={input.isTouched && !create.isSuccess} onLeave={input.forget} />
      {children}
      {error !== null && (refusal?.(error) ?? <FailureAlert error={error} />)}
      <Button type="submit" disabled={create.isPending}>
        {create.isPending ? t('common.saving') : label}
      </Button>
    </form>
  );
}
