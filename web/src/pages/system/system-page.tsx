import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';
import { LogTab } from './log-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { type SystemSearch, systemTabs } from './routes.ts';
import { SettingsTab } from './settings-tab.tsx';
import { TasksTab } from './tasks-tab.tsx';
import { WordsTab } from './words-tab.tsx';

/** The server: status, tasks, log, sensitive words and settings. */
export function SystemPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const search: SystemSearch = useSearch({ from: '/console/system' });
  const show = (next: SystemSearch, replace = false) => void navigate({ to: '/system', search: next, replace });
  const contents = {
    overview: <OverviewTab />,
    tasks: <TasksTab open={search.task} onOpen={(task) => show({ tab: 'tasks', ...(task !== null && { task }) })} />,
    logs: (
      <LogTab
        level={search.level ?? 'DEBUG'}
        text={search.q ?? ''}
        onFilter={({ level, text }) =>
          show({ tab: 'logs', ...(level !== 'DEBUG' && { level }), ...(text && { q: text }) }, true)
        }
      />
    ),
    words: <WordsTab />,
    settings: <SettingsTab setting={search.setting} />,
  };
  return (
    <Page title={t('navigation.system')}>
      <Tabs
        label={t('navigation.system')}
        value={search.tab ?? 'overview'}
        onChange={(tab) => show(tab === 'overview' ? {} : { tab })}
        tabs={systemTabs.map((value) => ({ value, label: t(`systemPage.${value}`), content: contents[value] }))}
      />
    </Page>
  );
}
