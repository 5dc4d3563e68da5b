import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { BellRing, Mail, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type Alert, openAlertsQuery } from '../../components/alert-queries.ts';
import { alertSummary } from '../../components/alert-summary.ts';
import { Badge } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useHeldKeys } from '../../components/lists/use-deletion.ts';
import { MoreRows } from '../../components/more-rows.tsx';
import { Page, Section } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';
import { type AlertRule, type AlertTarget, pastAlertsQuery, rulesQuery, targetsQuery } from './alert-queries.ts';
import { Notices } from './notices.tsx';
import { RuleSwitch } from './rule-switch.tsx';
import { useDeleteRule, useDeleteTarget } from './use-deletions.ts';

const route = getRouteApi('/console/alerts');

/** Open and past alerts, their rules, and who is notified. */
export function AlertsPage() {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const { tab = 'alerts' } = route.useSearch();
  return (
    <Page title={t('alerts.title')} introduction={t('alerts.introduction')}>
      <Tabs
        label={t('alerts.tabs')}
        value={tab}
        onChange={(next) => void navigate({ search: { tab: next }, replace: true })}
        tabs={[
          { value: 'alerts', label: t('alerts.title'), content: <AlertsTab /> },
          { value: 'rules', label: t('alerts.rules'), content: <RulesTab /> },
          { value: 'targets', label: t('alerts.targets'), content: <TargetsTab /> },
        ]}
      />
    </Page>
  );
}

function AlertsTab() {
  const { t } = useTranslation();
  const open = useQuery(openAlertsQuery);
  const past = useInfiniteQuery(pastAlertsQuery);
  const columns: Column<Alert>[] = [
    {
      key: 'rule',
      heading: t('alerts.rule'),
      isTitle: true,
      cell: (alert) => (
        <>
          <span className="break-words">{alert.rule_name}</span>
          <span className="block max-w-96 text-sm font-normal break-words text-muted-foreground">
            {alertSummary(alert, t)}
          </span>
        </>
      ),
    },
    {
      key: 'started',
      heading: t('alerts.started'),
      cell: ({ started_at }) => <RelativeTime timestamp={started_at} />,
    },
    {
      key: 'ended',
      heading: t('alerts.ended'),
      cell: ({ ended_at, end_reason }) =>
        ended_at === null ? (
          <Badge tone="bad">{t('alerts.open')}</Badge>
        ) : (
          <>
            <RelativeTime timestamp={ended_at} />
            {end_reason !== null && end_reason !== 'over' && (
              <span className="block text-muted-foreground">{t(`alerts.endReasons.${end_reason}`)}</span>
            )}
          </>
        ),
    },
    { key: 'notices', heading: t('alerts.notices'), cell: ({ notices }) => <Notices notices={notices} /> },
  ];
  const table = (label: string, rows: Alert[]) => (
    <DataTable label={label} columns={columns} rows={rows} rowKey={({ id }) => String(id)} />
  );
  return (
    <>
      <Section title={t('alertBell.title')}>
        <Loaded query={open}>
          {(rows) =>
            rows.length === 0 ? (
              <p className="text-muted-foreground">{t('alertBell.none')}</p>
            ) : (
              table(t('alertBell.title'), rows)
            )
          }
        </Loaded>
      </Section>
      <Section title={t('alerts.history')}>
        <Loaded query={past}>
          {({ pages }) => {
            const rows = pages.flatMap(({ alerts }) => alerts);
            if (rows.length === 0) return <p className="text-muted-foreground">{t('alerts.noHistory')}</p>;
            return (
              <>
                {table(t('alerts.history'), rows)}
                <MoreRows query={past} />
              </>
            );
          }}
        </Loaded>
      </Section>
    </>
  );
}

const linkClass = 'rounded break-words underline-offset-4 hover:underline';

function RulesTab() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const rules = useQuery(rulesQuery);
  const held = useHeldKeys();
  const remove = useDeleteRule();
  const add = (
    <ButtonLink to="/alerts/rules/new">
      <Plus aria-hidden />
      {t('alerts.newRule')}
    </ButtonLink>
  );
  const columns: Column<AlertRule>[] = [
    {
      key: 'name',
      heading: t('alerts.rule'),
      isTitle: true,
      cell: ({ uuid, name, missing }) => (
        <>
          <Link to="/alerts/rules/$uuid" params={{ uuid }} className={linkClass}>
            {name}
          </Link>
          {missing.length > 0 && (
            <span className="block text-sm font-normal text-destructive">{t('alerts.missing')}</span>
          )}
        </>
      ),
    },
    { key: 'kind', heading: t('alerts.condition'), cell: ({ kind }) => t(`alerts.kinds.${kind}`) },
    { key: 'state', heading: t('common.state'), cell: (rule) => <RuleState rule={rule} /> },
    { key: 'targets', heading: t('alerts.targets'), align: 'end', cell: ({ targets }) => targets.length },
    {
      key: 'enabled',
      heading: t('alerts.enabled'),
      cell: (rule) => <RuleSwitch rule={rule} />,
      className: '[&_input]:align-middle',
    },
  ];
  return (
    <Loaded query={rules}>
      {(all) => {
        const rows = all.filter(({ uuid }) => !held.has(`alerts/rules/${uuid}`));
        if (rows.length === 0) {
          return (
            <Empty icon={BellRing} title={t('alerts.noRules')} text={t('alerts.noRulesText')}>
              {add}
            </Empty>
          );
        }
        return (
          <>
            <div className="mb-4 flex justify-end">{add}</div>
            <DataTable
              label={t('alerts.rules')}
              columns={columns}
              rows={rows}
              rowKey={({ uuid }) => uuid}
              actions={(rule) => (
                <ActionMenu
                  subject={rule.name}
                  onEdit={() => void navigate({ to: '/alerts/rules/$uuid', params: { uuid: rule.uuid } })}
                  onDelete={() => remove(rule)}
                />
              )}
            />
          </>
        );
      }}
    </Loaded>
  );
}

function RuleState({ rule: { enabled, muted_until, open_alert_id } }: { rule: AlertRule }) {
  const { t } = useTranslation();
  if (open_alert_id !== null) return <Badge tone="bad">{t('alerts.open')}</Badge>;
  if (!enabled) return <Badge>{t('alerts.disabled')}</Badge>;
  if (muted_until !== null && Date.parse(muted_until) > Date.now()) {
    return <Badge tone="warning">{t('alerts.paused')}</Badge>;
  }
  return <Badge tone="good">{t('alerts.quiet')}</Badge>;
}

function TargetsTab() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const targets = useQuery(targetsQuery);
  const held = useHeldKeys();
  const remove = useDeleteTarget();
  const add = (
    <ButtonLink to="/alerts/targets/new">
      <Plus aria-hidden />
      {t('alerts.newTarget')}
    </ButtonLink>
  );
  const columns: Column<AlertTarget>[] = [
    {
      key: 'name',
      heading: t('alerts.target'),
      isTitle: true,
      cell: ({ uuid, name }) => (
        <Link to="/alerts/targets/$uuid" params={{ uuid }} className={linkClass}>
          {name}
        </Link>
      ),
    },
    { key: 'kind', heading: t('alerts.targetKind'), cell: ({ kind }) => t(`alerts.targetKinds.${kind}`) },
    {
      key: 'address',
      heading: t('alerts.address'),
      cell: ({ config }) => (
        <span className="break-all">{config.to?.join(', ') ?? config.url ?? config.target_id ?? ''}</span>
      ),
    },
  ];
  return (
    <Loaded query={targets}>
      {(all) => {
        const rows = all.filter(({ uuid }) => !held.has(`alerts/targets/${uuid}`));
        if (rows.length === 0) {
          return (
            <Empty icon={Mail} title={t('alerts.noTargets')} text={t('alerts.noTargetsText')}>
              {add}
            </Empty>
          );
        }
        return (
          <>
            <div className="mb-4 flex justify-end">{add}</div>
            <DataTable
              label={t('alerts.targets')}
              columns={columns}
              rows={rows}
              rowKey={({ uuid }) => uuid}
              actions={(target) => (
                <ActionMenu
                  subject={target.name}
                  onEdit={() => void navigate({ to: '/alerts/targets/$uuid', params: { uuid: target.uuid } })}
                  onDelete={() => remove(target)}
                />
              )}
            />
          </>
        );
      }}
    </Loaded>
  );
}
