import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Button } from '../../components/ui/button.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { ChangesDialog } from './changes-dialog.tsx';
import { contentOf } from './pipeline-content.ts';
import type { FormTab } from './pipeline-fields.ts';
import { type Pipeline, type PipelineVersion, versionQuery, versionsQuery } from './pipeline-queries.ts';

interface VersionsTabProps {
  pipeline: Pipeline;
  form: readonly FormTab[];
}

/** The published versions of a pipeline: who changed it when, what differs, and restoring one. */
export function VersionsTab({ pipeline, form }: VersionsTabProps) {
  const { t } = useTranslation();
  const versions = useQuery(versionsQuery(pipeline.uuid));
  const [compared, setCompared] = useState<number | null>(null);
  const [restored, setRestored] = useState<number | null>(null);
  const restore = useRestore(pipeline.uuid);
  const isPublished = ({ version }: PipelineVersion) => version === pipeline.version;
  const columns: Column<PipelineVersion>[] = [
    {
      key: 'version',
      heading: t('pipelines.version'),
      isTitle: true,
      cell: (one) => (
        <span className="flex flex-wrap items-center gap-2">
          {t('pipelines.versionNumber', { number: one.version })}
          {isPublished(one) && <Badge tone="good">{t('pipelines.publishedBadge')}</Badge>}
          {one.restored_from !== null && (
            <span className="text-xs font-normal text-muted-foreground">
              {t('pipelines.restoredFrom', { number: one.restored_from })}
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'author',
      heading: t('pipelines.author'),
      cell: ({ author }) => author?.name ?? <span className="text-muted-foreground">{t('pipelines.noAuthor')}</span>,
    },
    { key: 'time', heading: t('pipelines.versionTime'), cell: (one) => <RelativeTime timestamp={one.created_at} /> },
    {
      key: 'actions',
      heading: t('pipelines.versionActions'),
      cell: (one) => {
        if (isPublished(one)) return null;
        const number = t('pipelines.versionNumber', { number: one.version });
        return (
          <span className="flex flex-wrap gap-1">
            <Button
              variant="ghost"
              size="small"
              aria-label={`${t('pipelines.compare')}: ${number}`}
              onClick={() => setCompared(one.version)}
            >
              {t('pipelines.compare')}
            </Button>
            <Button
              variant="ghost"
              size="small"
              aria-label={`${t('pipelines.restore')}: ${number}`}
              onClick={() => setRestored(one.version)}
            >
              {t('pipelines.restore')}
            </Button>
          </span>
        );
      },
    },
  ];
  return (
    <div>
      <p className="mb-4 max-w-2xl text-sm text-pretty text-muted-foreground">{t('pipelines.versionsText')}</p>
      <Loaded query={versions}>
        {(rows) => (
          <DataTable
            label={t('pipelines.versions')}
            columns={columns}
            rows={rows}
            rowKey={({ version }) => String(version)}
          />
        )}
      </Loaded>
      {compared !== null && (
        <ComparedVersion
          pipeline={pipeline}
          form={form}
          version={compared}
          onRestore={() => {
            setCompared(null);
            setRestored(compared);
          }}
          onClose={() => setCompared(null)}
        />
      )}
      {restored !== null && (
        <ConfirmDialog
          title={t('pipelines.restoreTitle', { number: restored })}
          text={t('pipelines.restoreText')}
          confirm={t('pipelines.restore')}
          action={() => restore.mutateAsync(restored)}
          onClose={() => setRestored(null)}
        />
      )}
    </div>
  );
}

function useRestore(uuid: string) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (version: number) =>
      api.post('/api/v1/pipelines/{pipeline_uuid}/versions/{version}/restore', {
        params: { path: { pipeline_uuid: uuid, version } },
      }),
    onSuccess: (_, version) => {
      notify.done(t('pipelines.restored', { number: version }));
      return queries.invalidateQueries({ queryKey: ['pipelines'] });
    },
  });
}

interface ComparedVersionProps extends VersionsTabProps {
  version: number;
  onRestore: () => void;
  onClose: () => void;
}

/** What restoring a version would change. */
function ComparedVersion({ pipeline, form, version, onRestore, onClose }: ComparedVersionProps) {
  const { t } = useTranslation();
  const held = useQuery(versionQuery(pipeline.uuid, version));
  if (held.data === undefined) return null;
  return (
    <ChangesDialog
      form={form}
      before={contentOf(pipeline)}
      after={held.data.pipeline}
      text={t('pipelines.comparedText', { number: version })}
      onClose={onClose}
    >
      <Button onClick={onRestore}>{t('pipelines.restore')}</Button>
    </ChangesDialog>
  );
}
