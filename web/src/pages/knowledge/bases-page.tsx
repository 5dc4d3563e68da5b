import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { BookOpen, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { localized } from '../../lib/i18n.ts';
import { useRowDialog } from '../../lib/use-row-dialog.ts';
import { DeleteBaseDialog } from './delete-base-dialog.tsx';
import { basesQuery, type KnowledgeBase } from './knowledge-queries.ts';

/** All knowledge bases. */
export function BasesPage() {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const bases = useQuery(basesQuery);
  const [leaving, setLeaving, endLeaving] = useRowDialog<KnowledgeBase>();
  const number = new Intl.NumberFormat(i18n.language);
  const newBase = (
    <ButtonLink to="/knowledge/new">
      <Plus aria-hidden />
      {t('knowledge.new')}
    </ButtonLink>
  );

  const columns: Column<KnowledgeBase>[] = [
    {
      key: 'name',
      heading: t('common.name'),
      isTitle: true,
      cell: (base) => <NameCell base={base} />,
    },
    { key: 'engine', heading: t('knowledge.engine'), cell: (base) => localized(base.knowledge_engine.name) },
    {
      key: 'documents',
      heading: t('knowledge.documents'),
      align: 'end',
      cell: (base) => number.format(base.document_count),
    },
    { key: 'chunks', heading: t('knowledge.chunks'), align: 'end', cell: (base) => number.format(base.chunk_count) },
    { key: 'updated', heading: t('common.updated'), cell: (base) => <RelativeTime timestamp={base.updated_at} /> },
  ];

  return (
    <Page
      title={t('knowledge.title')}
      introduction={t('knowledge.introduction')}
      actions={bases.data !== undefined && bases.data.bases.length > 0 && newBase}
    >
      <Loaded query={bases}>
        {({ bases: rows }) =>
          rows.length === 0 ? (
            <Empty icon={BookOpen} title={t('knowledge.empty')} text={t('knowledge.emptyText')}>
              {newBase}
            </Empty>
          ) : (
            <DataTable
              label={t('knowledge.title')}
              columns={columns}
              rows={rows}
              rowKey={({ uuid }) => uuid}
              actions={(base) => (
                <ActionMenu
                  subject={base.name}
                  onEdit={() =>
                    void navigate({
                      to: '/knowledge/$uuid',
                      params: { uuid: base.uuid },
                      search: { tab: 'settings' },
                    })
                  }
                  onDelete={() => setLeaving(base)}
                />
              )}
            />
          )
        }
      </Loaded>
      {leaving && <DeleteBaseDialog base={leaving} onClose={endLeaving} />}
    </Page>
  );
}

function NameCell({ base }: { base: KnowledgeBase }) {
  const { t } = useTranslation();
  const other = base.collections.find(({ state }) => state === 'building' || state === 'waiting');
  return (
    <div className="min-w-0">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          to="/knowledge/$uuid"
          params={{ uuid: base.uuid }}
          className="rounded break-all underline-offset-4 hover:underline"
        >
          {base.name}
        </Link>
        {other?.state === 'building' && <Badge tone="busy">{t('knowledge.rebuilding')}</Badge>}
        {other?.state === 'waiting' && <Badge tone="warning">{t('knowledge.waits')}</Badge>}
      </span>
      {base.description !== '' && (
        <span className="line-clamp-2 max-w-prose text-sm font-normal text-muted-foreground">{base.description}</span>
      )}
    </div>
  );
}
