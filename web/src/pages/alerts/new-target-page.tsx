import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../components/back-link.tsx';
import { CreateForm } from '../../components/forms/create-form.tsx';
import { OnceSecret } from '../../components/once-secret.tsx';
import { Page } from '../../components/page.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { api } from '../../lib/api.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { faultsOf } from '../../lib/use-draft.ts';
import type { AlertTarget } from './alert-queries.ts';
import { bodyOf, emptyTarget } from './target-entry.ts';
import { TargetFields } from './target-fields.tsx';

/** Adds a target of alerts, and shows the secret of a webhook once. */
export function NewTargetPage() {
  const { t } = useTranslation();
  const [made, setMade] = useState<AlertTarget | null>(null);
  if (made !== null) {
    return (
      <Page title={t('alerts.secretTitle', { name: made.name })} introduction={t('alerts.secretText')}>
        <div className="max-w-2xl space-y-6">
          <OnceSecret
            label={t('alerts.secret')}
            secret={made.secret}
            copyLabel={t('alerts.copySecret')}
            copiedLabel={t('common.copied')}
          />
          <ButtonLink to="/alerts/targets/$uuid" params={{ uuid: made.uuid }}>
            {t('alerts.secretSaved')}
          </ButtonLink>
        </div>
      </Page>
    );
  }
  return (
    <Page title={t('alerts.newTarget')} back={<BackLink to="/alerts">{t('alerts.toList')}</BackLink>}>
      <NewTargetForm onMade={setMade} />
    </Page>
  );
}

function NewTargetForm({ onMade }: { onMade: (target: AlertTarget) => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const input = useKeptInput('new-alert-target', () => emptyTarget);
  const create = useMutation({
    mutationFn: async () => {
      const body = { ...bodyOf(input.value), kind: input.value.kind };
      return (await api.post('/api/v1/alerts/targets', { body })).target;
    },
    onSuccess: async (target) => {
      input.forget();
      await queries.invalidateQueries({ queryKey: ['alerts'] });
      if (target.secret !== '') onMade(target);
      else void navigate({ to: '/alerts/targets/$uuid', params: { uuid: target.uuid }, ignoreBlocker: true });
    },
  });
  return (
    <CreateForm create={create} input={input} label={t('alerts.newTarget')}>
      <TargetFields isNew value={input.value} onChange={input.change} faults={faultsOf(create.error)} />
    </CreateForm>
  );
}
