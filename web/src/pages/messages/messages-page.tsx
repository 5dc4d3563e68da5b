import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';
import { ConversationsTab } from './conversations-tab.tsx';
import { ErrorsTab } from './errors-tab.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { FeedbackTab } from './feedback-tab.tsx';
import { rememberList } from './list-link.tsx';
import { MessageListTab } from './message-list-tab.tsx';

const route = getRouteApi('/console/messages');

/** Messages, conversations, errors and feedback. */
export function MessagesPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const search = route.useSearch();
  const { tab = 'messages', bot, pipeline, range, from, to } = search;
  const [isExporting, setExporting] = useState(false);
  useEffect(() => rememberList(search), [search]);

  // Filters that all tabs share.
  const shared = Object.fromEntries(
    Object.entries({ bot, pipeline, range, from, to }).filter(([, value]) => value !== undefined),
  );
  return (
    <Page
      title={t('messages.title')}
      actions={
        <Button variant="outline" size="small" onClick={() => setExporting(true)}>
          <Download aria-hidden />
          {t('messages.export.open')}
        </Button>
      }
    >
      <Tabs
        label={t('messages.title')}
        value={tab}
        onChange={(next) =>
          void navigate({
            to: '/messages',
            search: { ...shared, ...(next !== 'messages' && { tab: next }) },
            replace: true,
          })
        }
        tabs={[
          { value: 'messages', label: t('messages.tabs.messages'), content: <MessageListTab search={search} /> },
          {
            value: 'conversations',
            label: t('messages.tabs.conversations'),
            content: <ConversationsTab search={search} />,
          },
          { value: 'errors', label: t('messages.tabs.errors'), content: <ErrorsTab search={search} /> },
          { value: 'feedback', label: t('messages.tabs.feedback'), content: <FeedbackTab search={search} /> },
        ]}
      />
      {isExporting && <ExportDialog search={search} onClose={() => setExporting(false)} />}
    </Page>
  );
}
