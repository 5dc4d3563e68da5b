import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Copy, FileInput, FileOutput, Plus, Star, Workflow } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { botsQuery } from '../../components/bots/bot-queries.ts';
import type { Column } from '../../components/data-table.tsx';
import { changedSearch, pageQuery, type SearchChange, searchedText } from '../../components/lists/list-search.ts';
import { RecordList } from '../../components/lists/record-list.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Select } from '../../components/ui/select.tsx';
import { useIsAdmin } from '../../lib/account.ts';
import { api } from '../../lib/api.ts';
import { localized } from '../../lib/i18n.ts';
import { useRowDialog } from '../../lib/use-row-dialog.ts';
import { DeletePipelineDialog } from './delete-pipeline-dialog.tsx';
import { ImportPipelineDialog } from './import-pipeline-dialog.tsx';
import { NewPipelineDialog } from './new-pipeline-dialog.tsx';
import { runnerLabel, runnerOf } from './pipeline-fields.ts';
import { PipelineName } from './pipeline-name.tsx';
import { botsOf, formQuery, type Pipeline, type PipelineFilter, pipelinesPageQuery } from './pipeline-queries.ts';
import type { PipelinesSearch } from './routes.ts';
import { usePipelineActions } from './use-pipeline-actions.ts';

const route = getRouteApi('/console/pipelines');
const fallbackOrder = 'created_at';

/** All pipelines. */
export function PipelinesPage() {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const search = route.useSearch();
  const filter: PipelineFilter = {
    ...searchedText(search.q),
    ...(search.used !== undefined && { used: search.used }),
  };
  const pipelines = useQuery(pipelinesPageQuery({ ...filter, ...pageQuery<string>(search, fallbackOrder) }));
  const change = useCallback(
    (next: SearchChange<PipelinesSearch>) =>
      void navigate({ search: (now) => changedSearch(now, next), replace: true }),
    [navigate],
  );
  const [isNew, setNew] = useState(false);
  const [isImporting, setImporting] = useState(false);
  const [leaving, setLeaving, endLeaving] = useRowDialog<Pipeline>();
  const { copy, exportFile, makeDefault } = usePipelineActions();
  const open = (uuid: string) => void navigate({ to: '/pipelines/$uuid', params: { uuid } });
  const isAdmin = useIsAdmin();
  const newPipeline = isAdmin && (
    <>
      <Button variant="outline" onClick={() => setImporting(true)}>
        <FileInput aria-hidden />
        {t('pipelines.import')}
      </Button>
      <Button onClick={() => setNew(true)}>
        <Plus aria-hidden />
        {t('pipelines.new')}
      </Button>
    </>
  );

  const columns: Column<Pipeline>[] = [
    {
      key: 'name',
      heading: t('pipelines.pipeline'),
      order: 'name',
      isTitle: true,
      cell: (pipeline) => <NameCell pipeline={pipeline} />,
    },
    { key: 'runner', heading: t('pipelines.answersWith'), cell: (pipeline) => <RunnerCell pipeline={pipeline} /> },
    { key: 'bots', heading: t('pipelines.usedBy'), cell: ({ uuid }) => <BotsCell uuid={uuid} /> },
    {
      key: 'changed',
      heading: t('common.updated'),
      order: 'updated_at',
      cell: (one) => <RelativeTime timestamp={one.updated_at} />,
    },
  ];

  const actions = (pipeline: Pipeline) => (
    <ActionMenu
      subject={pipeline.name}
      onEdit={() => open(pipeline.uuid)}
      actions={[
        {
          label: t('pipelines.copy'),
          icon: Copy,
          onSelect: () => copy.mutate(pipeline, { onSuccess: ({ uuid }) => open(uuid) }),
        },
        { label: t('pipelines.export'), icon: FileOutput, onSelect: () => exportFile.mutate(pipeline) },
        {
          label: t('pipelines.makeDefault'),
          icon: Star,
          disabled: pipeline.is_default,
          onSelect: () => makeDefault.mutate(pipeline),
        },
      ]}
      onDelete={() => setLeaving(pipeline)}
    />
  );

  return (
    <Page title={t('pipelines.title')} introduction={t('pipelines.introduction')} actions={newPipeline}>
      <RecordList
        label={t('pipelines.title')}
        noun="pipelines"
        query={pipelines}
        columns={columns}
        idOf={({ uuid }) => uuid}
        nameOf={({ name }) => name}
        search={search}
        fallbackOrder={fallbackOrder}
        onSearch={change}
        onClear={() => void navigate({ to: '/pipelines', search: {} })}
        filter={filter}
        filters={
          <Select
            className="w-44"
            aria-label={t('pipelines.usedBy')}
            value={search.used === undefined ? '' : String(search.used)}
            onChange={({ target: { value } }) =>
              change({ used: value === '' ? undefined : value === 'true', page: undefined })
            }
          >
            <option value="">{t('pipelines.usedOrNot')}</option>
            <option value="true">{t('pipelines.used')}</option>
            <option value="false">{t('pipelines.notUsed')}</option>
          </Select>
        }
        empty={<Empty icon={Workflow} title={t('pipelines.empty')} text={t('pipelines.emptyText')} />}
        exported={{ path: '/api/v1/pipelines/export', file: 'pipelines' }}
        {...(isAdmin && {
          actions,
          bulk: {
            actions: ['delete'],
            send: (body, keepalive) => api.post('/api/v1/pipelines/bulk', { body: body as never, keepalive }),
            refresh: () => queries.invalidateQueries({ queryKey: ['pipelines'] }),
            deleteText: t('pipelines.deleteText'),
          },
        })}
      />
      {isImporting && <ImportPipelineDialog onCreated={open} onClose={() => setImporting(false)} />}
      {isNew && <NewPipelineDialog onCreated={open} onClose={() => setNew(false)} />}
      {leaving && <DeletePipelineDialog pipeline={leaving} onClose={endLeaving} />}
    </Page>
  );
}

function NameCell({ pipeline }: { pipeline: Pipeline }) {
  const { t } = useTranslation();
  return (
    <>
      <span className="flex flex-wrap items-center gap-2">
        <Link
          to="/pipelines/$uuid"
          params={{ uuid: pipeline.uuid }}
          className="rounded break-all underline-offset-4 hover:underline"
        >
          <PipelineName pipeline={pipeline} />
        </Link>
        {pipeline.is_default && <Badge>{t('pipelines.default')}</Badge>}
      </span>
      {pipeline.description !== '' && (
        <p className="mt-0.5 line-clamp-2 max-w-sm text-xs font-normal break-words text-muted-foreground">
          {pipeline.description}
        </p>
      )}
    </>
  );
}

function RunnerCell({ pipeline }: { pipeline: Pipeline }) {
  const form = useQuery(formQuery);
  const runner = runnerOf(pipeline.config);
  return localized(runnerLabel(form.data ?? [], runner));
}

/** Names of bots in a row. */
const mostUsers = 3;

function BotsCell({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const bots = useQuery(botsQuery);
  if (bots.data === undefined) return null;
  const users = botsOf(uuid, bots.data.bots);
  if (users.length === 0) return <span className="text-muted-foreground">{t('pipelines.unused')}</span>;
  return (
    <ul className="flex flex-wrap gap-x-3">
      {users.slice(0, mostUsers).map((bot) => (
        <li key={bot.uuid}>
          <Link
            to="/bots/$uuid"
            params={{ uuid: bot.uuid }}
            className="inline-block rounded py-0.5 break-all underline-offset-4 hover:underline"
          >
            {bot.name}
          </Link>
        </li>
      ))}
      {users.length > mostUsers && (
        <li>
          <Link
            to="/bots"
            search={{ pipeline: uuid }}
            className="inline-block rounded py-0.5 text-muted-foreground underline-offset-4 hover:underline"
          >
            {t('pipelines.otherUsers', { count: users.length - mostUsers })}
          </Link>
        </li>
      )}
    </ul>
  );
}
