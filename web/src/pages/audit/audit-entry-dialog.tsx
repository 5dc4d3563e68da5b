import type { components } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Loading } from '../../components/states/loading.tsx';
import { NotFound } from '../../components/states/not-found.tsx';
import { Failure } from '../../components/states/page-failure.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { api } from '../../lib/api.ts';
import { recordAddress } from '../../lib/record-address.ts';
import { actionText, kindText } from './action-text.ts';
import { ActorName } from './actor-name.tsx';
import type { AuditSearch } from './audit-search.ts';
import { ChangedFields } from './changed-fields.tsx';
import { recordName } from './record-name.ts';

type AuditEntry = components['schemas']['AuditEntry'];

interface AuditEntryDialogProps {
  id: number;
  /** The entry, if the list contains it. */
  known: AuditEntry | undefined;
  onFilter: (search: AuditSearch) => void;
  onClose: () => void;
}

/** One entry of the log, with its changes per field. */
export function AuditEntryDialog({ id, known, onFilter, onClose }: AuditEntryDialogProps) {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ['audit', 'entry', id],
    // The page after a cursor contains smaller ids only.
    queryFn: async () => {
      const { entries } = await api.get('/api/v1/audit', { params: { query: { limit: 1, cursor: String(id + 1) } } });
      return entries.find((entry) => entry.id === id) ?? null;
    },
    enabled: known === undefined,
  });
  const entry = known ?? query.data;
  return (
    <Dialog title={entry ? actionText(entry.action, t) : t('audit.entry', { id })} width="wide" onClose={onClose}>
      {entry === undefined &&
        (query.isError ? <Failure error={query.error} onRetry={() => void query.refetch()} /> : <Loading rows={3} />)}
      {entry === null && <NotFound />}
      {entry && (
        <>
          <EntryFacts entry={entry} />
          <ChangedFields entry={entry} />
        </>
      )}
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        {entry && entry.record_id !== '' && (
          <Button variant="outline" onClick={() => onFilter({ kind: entry.record_kind, record: entry.record_id })}>
            {t('audit.ofRecord')}
          </Button>
        )}
        <Button variant="outline" onClick={onClose}>
          {t('common.close')}
        </Button>
      </div>
    </Dialog>
  );
}

function EntryFacts({ entry }: { entry: AuditEntry }) {
  const { t, i18n } = useTranslation();
  const timestamp = new Date(entry.created_at);
  const exact = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'medium' }).format(timestamp);
  return (
    <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm [&_dd]:min-w-0 [&_dd]:break-words">
      <Fact name={kindText(entry.record_kind, t)}>
        <RecordLink entry={entry} />
      </Fact>
      <Fact name={t('audit.who')}>
        <ActorName entry={entry} />
      </Fact>
      <Fact name={t('audit.when')}>
        <time dateTime={entry.created_at}>{exact}</time>
      </Fact>
      {entry.address !== '' && <Fact name={t('audit.address')}>{entry.address}</Fact>}
      {entry.request_id !== '' && (
        <Fact name={t('audit.request')}>
          <code className="font-mono text-xs">{entry.request_id}</code>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted-foreground">{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** The name of the record, with a link if it exists. */
function RecordLink({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  const router = useRouter();
  const { record_kind, record_id } = entry;
  const address = recordAddress(record_kind, record_id, Object.keys(router.routesByPath));
  const latest = useQuery({
    queryKey: ['audit', 'latest', record_kind, record_id],
    queryFn: () => api.get('/api/v1/audit', { params: { query: { record_kind, record_id, limit: 1 } } }),
    enabled: address !== null && record_id !== '',
  });
  const name = recordName(entry) || t('common.none');
  const last = latest.data?.entries[0]?.action ?? '';
  if (/\.(delete|revoke)$/.test(last)) return `${name} (${t('audit.removed')})`;
  if (address === null) return name;
  return (
    <Link
      to={address.to}
      search={address.search as never}
      className="font-medium text-primary underline underline-offset-4"
    >
      {name}
    </Link>
  );
}
