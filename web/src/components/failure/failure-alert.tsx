import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { failureOfRequest } from '../../lib/failure.ts';
import { Alert } from '../ui/alert.tsx';
import { FailureContent, type FailurePlaces } from './failure-content.tsx';

interface FailureAlertProps {
  /** Of a request. */
  error: unknown;
  /** What failed. */
  title?: string | undefined;
  places?: FailurePlaces;
  className?: string;
  /** A retry, for example. */
  children?: ReactNode;
}

/** A failed request. */
export function FailureAlert({ error, title, places, className, children }: FailureAlertProps) {
  const { t } = useTranslation();
  return (
    <Alert {...(className === undefined ? {} : { className })}>
      <FailureContent failure={failureOfRequest(error, t)} title={title} places={places} />
      {children}
    </Alert>
  );
}
