import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { CircleCheck, CircleX, RotateCw, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../components/back-link.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { SaveBar } from '../../components/forms/save-bar.tsx';
import { OnceSecret } from '../../components/once-secret.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Button } from '../../components/ui/button.tsx';
import { api } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useSaved } from '../../lib/use-saved.ts';
import { type AlertTarget, readTaggedTarget, targetQuery } from './alert-queries.ts';
import { bodyOf, entryOf } from './target-entry.ts';
import { TargetFields } from './target-fields.tsx';
import { useDeleteTarget } from './use-deletions.ts';

const route = getRouteApi('/console/alerts/targets/$uuid');

/** One target of alerts, with a test notice. */
export function TargetPage() {
  const { t } = useTranslation();
  const { uuid } = route.useParams();
  const target = useQuery(targetQuery(uuid));
  if (target.data !== undefined) return <ShownTarget key={uuid} target={target.data} />;
  return (
    <Page title={t('alerts.target')} back={<BackLink to="/alerts">{t('alerts.toList')}</BackLink>}>
      <Loaded query={target}>{() => null}</Loaded>
    </Page>
  );
}

function ShownTarget({ target }: { target: AlertTarget }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const remove = useDeleteTarget();
  const params = { path: { target_uuid: target.uuid } };
  const draft = useDraft({
    name: `alert-target:${target.uuid}`,
    stored: target,
    contentOf: entryOf,
    read: () => readTaggedTarget(target.uuid),
    save: (entry, headers) => api.put('/api/v1/alerts/targets/{target_uuid}', { params, headers, body: bodyOf(entry) }),
    onSaved: useSaved(['alerts']),
  });
  return (
    <Page
      title={target.name}
      introduction={t(`alerts.targetKinds.${target.kind}`)}
      back={<BackLink to="/alerts">{t('alerts.toList')}</BackLink>}
      actions={
        <Button
          variant="outline"
          size="small"
          onClick={() => {
            remove(target);
            void navigate({ to: '/alerts', search: { tab: 'targets' }, ignoreBlocker: true });
          }}
        >
          <Trash2 aria-hidden />
          {t('common.delete')}
        </Button>
      }
    >
      <NoticeTest uuid={target.uuid} />
      <div className="max-w-2xl">
        <TargetFields value={draft.value} onChange={draft.change} faults={draft.faults} />
        {target.kind === 'webhook' && <SigningSecret target={target} />}
      </div>
      <SaveBar draft={draft} />
    </Page>
  );
}

/** Sends a test notice now, and shows what came of it. */
function NoticeTest({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const test = useMutation({
    mutationFn: () =>
      api.post('/api/v1/alerts/targets/{target_uuid}/test', { params: { path: { target_uuid: uuid } } }),
  });
  const result = test.isPending ? undefined : test.data;
  return (
    <div className="mb-6 flex flex-wrap items-start gap-x-4 gap-y-2">
      <Button variant="outline" size="small" disabled={test.isPending} onClick={() => test.mutate()}>
        <Send aria-hidden />
        {t('alerts.test')}
      </Button>
      <div role="status" className="min-w-0 flex-1 basis-60 pt-1.5 text-sm empty:hidden">
        {test.isPending && <p className="text-muted-foreground">{t('alerts.testing')}</p>}
        {test.isError && <p className="text-destructive">{errorText(test.error, t)}</p>}
        {result?.delivered === true && (
          <p className="flex items-start gap-2 text-good">
            <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0" />
            {t('alerts.testDelivered')}
          </p>
        )}
        {result?.delivered === false && (
          <p className="flex items-start gap-2 text-destructive">
            <CircleX aria-hidden className="mt-0.5 size-4 shrink-0" />
            <span className="min-w-0">
              {t('alerts.testFailed')} <span className="break-words text-muted-foreground">{result.error}</span>
            </span>
          </p>
        )}
      </div>
    </div>
  );
}

function SigningSecret({ target }: { target: AlertTarget }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [isReplacing, setReplacing] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Section
      title={t('alerts.secret')}
      text={t('alerts.secretHelp')}
      actions={
        <Button variant="outline" size="small" onClick={() => setReplacing(true)}>
          <RotateCw aria-hidden />
          {t('alerts.rotate')}
        </Button>
      }
    >
      {secret === null ? (
        <code className="font-mono text-sm">{target.secret}</code>
      ) : (
        <OnceSecret
          label={t('alerts.secret')}
          secret={secret}
          copyLabel={t('alerts.copySecret')}
          copiedLabel={t('common.copied')}
        />
      )}
      {isReplacing && (
        <ConfirmDialog
          title={t('alerts.rotateTitle')}
          text={t('alerts.rotateText')}
          confirm={t('alerts.rotate')}
          onClose={() => setReplacing(false)}
          action={async () => {
            const params = { path: { target_uuid: target.uuid } };
            setSecret((await api.post('/api/v1/alerts/targets/{target_uuid}/rotate-secret', { params })).secret);
            await queries.invalidateQueries({ queryKey: ['alerts'] });
          }}
        />
      )}
    </Section>
  );
}
