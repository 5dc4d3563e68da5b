import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, Hourglass, Scale } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Button } from '../../components/ui/button.tsx';
import { ProgressBar } from '../../components/ui/progress-bar.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { ComparedFigures } from './compared-figures.tsx';
import { type CollectionSummary, evaluationsQuery, type KnowledgeBase } from './knowledge-queries.ts';
import { SettingChanges } from './setting-changes.tsx';

/** Collections other than the active one: being built, waiting for a decision, or failed. */
export function CollectionNotices({ base }: { base: KnowledgeBase }) {
  return base.collections.map((collection) => {
    switch (collection.state) {
      case 'building':
        return <Building key={collection.collection_id} base={base} collection={collection} />;
      case 'waiting':
        return <Waiting key={collection.collection_id} base={base} collection={collection} />;
      case 'failed':
        return <Failed key={collection.collection_id} base={base} collection={collection} />;
      default:
        return null;
    }
  });
}

interface NoticeProps {
  base: KnowledgeBase;
  collection: CollectionSummary;
}

function useDiscard({ base, collection }: NoticeProps) {
  const queries = useQueryClient();
  const path = { knowledge_base_uuid: base.uuid, collection_id: collection.collection_id };
  return async () => {
    await api.delete('/api/v1/knowledge/bases/{knowledge_base_uuid}/collections/{collection_id}', { params: { path } });
    await queries.invalidateQueries({ queryKey: ['knowledge'] });
  };
}

function Building({ base, collection }: NoticeProps) {
  const { t } = useTranslation();
  const discard = useDiscard({ base, collection });
  const [isAsking, setAsking] = useState(false);
  const { document_count: done, missing_count: missing } = collection;
  const total = done + missing;
  return (
    <Notice
      icon={<Hourglass aria-hidden className="mt-0.5 size-5 shrink-0 text-primary" />}
      title={t('knowledge.building')}
      text={t('knowledge.buildingText')}
      actions={
        <Button variant="outline" size="small" onClick={() => setAsking(true)}>
          {t('knowledge.giveUp')}
        </Button>
      }
    >
      <div className="mt-3 max-w-md">
        <ProgressBar label={t('knowledge.building')} part={total === 0 ? null : done / total} />
        <p className="mt-1 text-sm text-muted-foreground tabular-nums">{t('knowledge.storedOf', { done, total })}</p>
      </div>
      <SettingChanges base={base} collectionId={collection.collection_id} />
      {isAsking && (
        <ConfirmDialog
          title={t('knowledge.giveUpTitle')}
          text={t('knowledge.giveUpText')}
          confirm={t('knowledge.giveUp')}
          action={discard}
          onClose={() => setAsking(false)}
        />
      )}
    </Notice>
  );
}

function Waiting({ base, collection }: NoticeProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const discard = useDiscard({ base, collection });
  const evaluations = useQuery(evaluationsQuery(base.uuid));
  const [isAsking, setAsking] = useState(false);
  const activate = useMutation({
    mutationFn: () =>
      api.post('/api/v1/knowledge/bases/{knowledge_base_uuid}/collections/{collection_id}/activate', {
        params: { path: { knowledge_base_uuid: base.uuid, collection_id: collection.collection_id } },
      }),
    onSuccess: () => notify.done(t('knowledge.activated')),
    onError: notify.failed,
    onSettled: () => queries.invalidateQueries({ queryKey: ['knowledge'] }),
  });
  const after = evaluations.data?.find(({ uuid }) => uuid === collection.evaluation_uuid);
  // The same rebuild evaluated both, the old one first.
  const before = evaluations.data?.find(
    ({ collection_id, figures, created_at }) =>
      collection_id === base.collection_id && figures !== null && (!after || created_at <= after.created_at),
  );
  return (
    <Notice
      icon={<Scale aria-hidden className="mt-0.5 size-5 shrink-0 text-notice" />}
      title={t('knowledge.waiting')}
      text={t('knowledge.waitingText')}
      actions={
        <>
          <Button size="small" disabled={activate.isPending} onClick={() => activate.mutate()}>
            {t('knowledge.activate')}
          </Button>
          <Button variant="outline" size="small" onClick={() => setAsking(true)}>
            {t('knowledge.discard')}
          </Button>
        </>
      }
    >
      {(before?.figures || after?.figures) && (
        <ComparedFigures before={before?.figures ?? null} after={after?.figures ?? null} />
      )}
      {after?.error && <p className="mt-2 text-sm text-destructive">{after.error}</p>}
      <SettingChanges base={base} collectionId={collection.collection_id} />
      {isAsking && (
        <ConfirmDialog
          title={t('knowledge.discardTitle')}
          text={t('knowledge.discardText')}
          confirm={t('knowledge.discard')}
          action={discard}
          onClose={() => setAsking(false)}
        />
      )}
    </Notice>
  );
}

function Failed({ base, collection }: NoticeProps) {
  const { t } = useTranslation();
  const discard = useMutation({ mutationFn: useDiscard({ base, collection }), onError: notify.failed });
  return (
    <Notice
      icon={<CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-destructive" />}
      title={t('knowledge.rebuildFailed')}
      text={t('knowledge.rebuildFailedText')}
      actions={
        <Button variant="outline" size="small" disabled={discard.isPending} onClick={() => discard.mutate()}>
          {t('common.remove')}
        </Button>
      }
    >
      {collection.error !== null && <p className="mt-2 text-sm break-words text-destructive">{collection.error}</p>}
    </Notice>
  );
}

interface PartsOfNotice {
  icon: ReactNode;
  title: string;
  text: string;
  actions: ReactNode;
  children: ReactNode;
}

function Notice({ icon, title, text, actions, children }: PartsOfNotice) {
  return (
    <section aria-label={title} className="mb-6 rounded-2xl border bg-card p-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-64 gap-3">
          {icon}
          <div className="min-w-0 flex-1">
            <h2 className="font-medium">{title}</h2>
            <p className="text-sm text-pretty text-muted-foreground">{text}</p>
          </div>
        </div>
        <div className="flex flex-wrap gap-2">{actions}</div>
      </div>
      {children}
    </section>
  );
}
