import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Section } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { useIsAdmin } from '../../lib/account.ts';
import { ContributionList } from './contribution-list.tsx';
import { namesIn } from './contribution-words.ts';
import { PermissionList } from './permission-list.tsx';
import { PipelineLinks } from './pipeline-links.tsx';
import { PluginFigures } from './plugin-figures.tsx';
import { PluginPageLinks } from './plugin-page-links.tsx';
import type { Plugin, PluginActivity } from './plugin-queries.ts';
import { ScheduleList } from './schedule-list.tsx';
import { SignatureFacts } from './signature-facts.tsx';
import { VersionList } from './version-list.tsx';

interface OverviewTabProps {
  plugin: Plugin;
  activity: UseQueryResult<PluginActivity>;
}

/** How a plugin does, where it is used, and what it may do. */
export function OverviewTab({ plugin, activity }: OverviewTabProps) {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  const { details, manifest } = plugin;
  const { installed } = details;
  const { pages = [] } = manifest.contributes;
  return (
    <div className="max-w-3xl">
      <Section title={t('plugins.process')}>
        <Loaded query={activity} rows={1}>
          {(state) => <Process {...state} />}
        </Loaded>
      </Section>
      {isAdmin && pages.length > 0 && (
        <Section title={t('plugins.kinds.pages')}>
          <PluginPageLinks id={details.id} pages={pages} />
        </Section>
      )}
      <Section title={t('plugins.pipelines')}>
        <PipelineLinks manifest={manifest} />
      </Section>
      <Section title={t('plugins.contributions')}>
        <ContributionList names={namesIn(manifest)} />
      </Section>
      <Section title={t('plugins.permissions')}>
        <PermissionList permissions={installed.permissions} manifest={manifest} />
        {installed.consent !== null && (
          <p className="mt-2 text-sm text-muted-foreground">
            {t('plugins.consentedBy', { name: installed.consent.by })} <RelativeTime timestamp={installed.consent.at} />
          </p>
        )}
      </Section>
      <Section title={t('plugins.signature.title')}>
        <SignatureFacts signer={installed.signer} expected={details.expected_signer} />
      </Section>
      <Section title={t('plugins.versions')}>
        <VersionList details={details} />
      </Section>
    </div>
  );
}

/** The process and the schedules of a plugin. */
function Process({ process, schedules }: PluginActivity) {
  const { t } = useTranslation();
  if (process === null) return <p className="text-sm text-muted-foreground">{t('plugins.notRunning')}</p>;
  return (
    <div className="space-y-3 rounded-2xl border bg-card px-4 py-3.5">
      <p className="text-sm text-pretty">
        {t(`plugins.processStates.${process.state}`)}
        {process.started_at !== null && (
          <>
            {' '}
            {t('plugins.since')} <RelativeTime timestamp={process.started_at} />
          </>
        )}
      </p>
      <PluginFigures process={process} />
      {process.isolation !== null && (
        <p className="text-sm text-pretty text-muted-foreground">{t(`plugins.isolation.${process.isolation}`)}</p>
      )}
      {schedules.length > 0 && <ScheduleList schedules={schedules} />}
    </div>
  );
}
