import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { InlineCode } from '../../components/inline-code.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { isolationQuery } from './plugin-queries.ts';

/** Which walls isolate plugins on this system, and what is missing. */
export function IsolationNotice() {
  const { t } = useTranslation();
  const { data } = useQuery(isolationQuery);
  if (data === undefined) return null;
  const { isolation, without_plugins } = data;
  if (without_plugins) {
    return (
      <Alert variant="notice">
        <InlineCode text={t('plugins.isolation.off')} />
      </Alert>
    );
  }
  if (isolation === 'landlock') {
    return (
      <p className="flex items-start gap-2.5 text-sm text-pretty text-muted-foreground">
        <ShieldCheck aria-hidden className="mt-0.5 size-4.5 shrink-0 text-good" />
        {t('plugins.isolation.landlock')}
      </p>
    );
  }
  return (
    <Alert variant={isolation === null ? 'error' : 'notice'}>
      <InlineCode text={t(isolation === null ? 'plugins.isolation.missing' : 'plugins.isolation.permission-model')} />
    </Alert>
  );
}
