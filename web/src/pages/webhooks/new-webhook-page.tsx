import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../components/back-link.tsx';
import { CreateForm } from '../../components/forms/create-form.tsx';
import { FieldShell } from '../../components/forms/field-shell.tsx';
import { Page } from '../../components/page.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { Switch } from '../../components/ui/switch.tsx';
import { api } from '../../lib/api.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { faultsOf } from '../../lib/use-draft.ts';
import { WebhookFields } from './webhook-fields.tsx';
import type { Webhook } from './webhook-queries.ts';
import { WebhookSecret } from './webhook-secret.tsx';

/** Adds a webhook, and shows its secret once. */
export function NewWebhookPage() {
  const { t } = useTranslation();
  const [made, setMade] = useState<Webhook | null>(null);
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (made !== null) shown.current?.focus();
  }, [made]);
  if (made !== null) {
    return (
      <Page title={t('webhooks.secretTitle', { name: made.name })} introduction={t('webhooks.secretText')}>
        <div ref={shown} tabIndex={-1} className="max-w-2xl space-y-6 outline-none">
          <WebhookSecret secret={made.secret} />
          <ButtonLink to="/webhooks/$id" params={{ id: String(made.id) }}>
            {t('webhooks.done')}
          </ButtonLink>
        </div>
      </Page>
    );
  }
  return (
    <Page
      title={t('webhooks.newTitle')}
      introduction={t('webhooks.newText')}
      back={<BackLink to="/webhooks">{t('webhooks.toList')}</BackLink>}
    >
      <NewWebhookForm onMade={setMade} />
    </Page>
  );
}

function NewWebhookForm({ onMade }: { onMade: (webhook: Webhook) => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const id = useId();
  const input = useKeptInput('new-webhook', () => ({ entry: { name: '', url: '', description: '' }, enabled: true }));
  const { entry, enabled } = input.value;
  const create = useMutation({
    mutationFn: async () => {
      const body = { name: entry.name.trim(), url: entry.url.trim(), description: entry.description.trim(), enabled };
      return (await api.post('/api/v1/webhooks', { body })).webhook;
    },
    onSuccess: (webhook) => {
      input.forget();
      void queries.invalidateQueries({ queryKey: ['webhooks'] });
      onMade(webhook);
    },
  });
  return (
    <CreateForm create={create} input={input} label={t('webhooks.create')}>
      <WebhookFields
        value={entry}
        onChange={(next) => input.change({ ...input.value, entry: next })}
        faults={faultsOf(create.error)}
      />
      <FieldShell id={id} label={t('webhooks.enableAtOnce')} inline>
        <Switch
          id={id}
          checked={enabled}
          onChange={(event) => input.change({ ...input.value, enabled: event.target.checked })}
        />
      </FieldShell>
    </CreateForm>
  );
}
