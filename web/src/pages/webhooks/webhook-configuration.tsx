import { useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { SaveBar } from '../../components/forms/save-bar.tsx';
import { Section } from '../../components/page.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { api } from '../../lib/api.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useSaved } from '../../lib/use-saved.ts';
import { WebhookFields } from './webhook-fields.tsx';
import { readTaggedWebhook, type Webhook } from './webhook-queries.ts';
import { WebhookSecret } from './webhook-secret.tsx';

const contentOf = ({ name, url, description }: Webhook) => ({ name, url, description });

/** Name, URL and secret of a webhook; the secret can be replaced. */
export function WebhookConfiguration({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const params = { path: { id: webhook.id } };
  const draft = useDraft({
    name: `webhook:${webhook.id}`,
    stored: webhook,
    contentOf,
    read: () => readTaggedWebhook(webhook.id),
    save: (body, headers) => api.put('/api/v1/webhooks/{id}', { params, headers, body }),
    onSaved: useSaved(['webhooks']),
  });
  const [isReplacing, setReplacing] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <div className="max-w-2xl">
        <WebhookFields value={draft.value} onChange={draft.change} faults={draft.faults} />
        <Section
          title={t('webhooks.secret')}
          text={t('webhooks.verifyText')}
          actions={
            <Button variant="outline" size="small" onClick={() => setReplacing(true)}>
              <RotateCw aria-hidden />
              {t('webhooks.rotate')}
            </Button>
          }
        >
          <code className="font-mono text-sm">{webhook.secret}</code>
        </Section>
      </div>
      <SaveBar draft={draft} />
      {isReplacing && (
        <ConfirmDialog
          title={t('webhooks.rotateTitle')}
          text={t('webhooks.rotateText')}
          confirm={t('webhooks.rotate')}
          onClose={() => setReplacing(false)}
          action={async () => {
            const { secret: next } = await api.post('/api/v1/webhooks/{id}/rotate-secret', { params });
            setSecret(next);
            await queries.invalidateQueries({ queryKey: ['webhooks'] });
          }}
        />
      )}
      {secret !== null && !isReplacing && (
        <Dialog title={t('webhooks.secretTitle', { name: webhook.name })} width="wide" onClose={() => setSecret(null)}>
          <p className="mt-2 mb-4 text-muted-foreground">{t('webhooks.secretText')}</p>
          <WebhookSecret secret={secret} />
          <div className="mt-6 flex justify-end">
            <Button onClick={() => setSecret(null)}>{t('webhooks.done')}</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
