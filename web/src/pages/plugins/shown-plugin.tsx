import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { Page } from '../../components/page.tsx';
import { Label } from '../../components/ui/label.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';
import { useIsAdmin } from '../../lib/account.ts';
import { localized } from '../../lib/i18n.ts';
import { AccessTab, hasChoices } from './access-tab.tsx';
import { ConsentTab } from './consent-tab.tsx';
import { LogTab } from './log-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { PluginActions } from './plugin-actions.tsx';
import { PluginIcon } from './plugin-icon.tsx';
import { PluginProblems } from './plugin-problems.tsx';
import { type Plugin, pathOf, stateQuery } from './plugin-queries.ts';
import { PluginState } from './plugin-state.tsx';
import { PluginSwitch } from './plugin-switch.tsx';
import type { PluginTab } from './routes.ts';
import { SettingsTab } from './settings-tab.tsx';

const route = getRouteApi('/console/plugins/$author/$name');

/** An installed plugin. Members see what it is and how it does. */
export function ShownPlugin({ plugin, back }: { plugin: Plugin; back: ReactNode }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const control = useId();
  const isAdmin = useIsAdmin();
  const search = route.useSearch();
  const { details, manifest, form } = plugin;
  const { id, state, update } = details;
  const activity = useQuery(stateQuery(id));
  const label = localized(manifest.label);
  const process = activity.data?.process ?? null;

  const tabs: { value: PluginTab; label: string; badge?: ReactNode; content: ReactNode }[] = [
    { value: 'overview', label: t('plugins.overview'), content: <OverviewTab plugin={plugin} activity={activity} /> },
  ];
  if (update !== null || state === 'consent_required') {
    tabs.unshift({
      value: 'consent',
      label: t(update === null ? 'plugins.consent' : 'plugins.update'),
      badge: <Badge tone="warning">{(update ?? details.installed).version}</Badge>,
      content: <ConsentTab plugin={plugin} />,
    });
  }
  if (isAdmin && form.length > 0) {
    tabs.push({ value: 'settings', label: t('plugins.settings'), content: <SettingsTab plugin={plugin} /> });
  }
  if (isAdmin && hasChoices(plugin)) {
    tabs.push({ value: 'access', label: t('plugins.access'), content: <AccessTab plugin={plugin} /> });
  }
  if (isAdmin) tabs.push({ value: 'log', label: t('plugins.log'), content: <LogTab id={id} /> });
  const tab = tabs.find(({ value }) => value === search.tab)?.value ?? tabs[0]?.value ?? 'overview';

  return (
    <Page
      title={label}
      back={back}
      actions={
        isAdmin && (
          <>
            <PluginSwitch id={id} label={label} state={state} enabled={plugin.plugin.enabled} controlId={control} />
            <Label htmlFor={control}>{t('plugins.enabled')}</Label>
            <PluginActions plugin={plugin} />
          </>
        )
      }
    >
      <div className="-mt-4 mb-5 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted-foreground">
        <PluginIcon id={id} version={manifest.version} className="size-7" />
        <span className="break-all">{id}</span>
        <span>{manifest.version}</span>
        <span role="status">
          <PluginState state={state} process={process} hasUpdate={update !== null} />
        </span>
      </div>
      <p className="mb-5 max-w-2xl text-pretty break-words">{localized(manifest.description)}</p>
      <PluginProblems details={details} activity={activity.data} />
      <Tabs
        label={t('plugins.tabs')}
        value={tab}
        onChange={(next) =>
          void navigate({
            to: '/plugins/$author/$name',
            params: pathOf(id).path,
            search: { tab: next },
            replace: true,
          })
        }
        tabs={tabs}
      />
    </Page>
  );
}
