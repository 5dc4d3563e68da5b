import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../components/back-link.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';
import { BaseSettings } from './base-settings.tsx';
import { CollectionNotices } from './collection-notices.tsx';
import { DocumentsTab } from './documents-tab.tsx';
import { baseQuery, type KnowledgeBase, takesDocuments } from './knowledge-queries.ts';
import { PlaygroundTab } from './playground-tab.tsx';
import { QuestionsTab } from './questions-tab.tsx';
import { baseTabs } from './routes.ts';

const route = getRouteApi('/console/knowledge/$uuid');

/** One knowledge base. */
export function BasePage() {
  const { uuid } = route.useParams();
  const base = useQuery(baseQuery(uuid));
  // Remounts for another base, so that no input is shown for the wrong one.
  return <Loaded query={base}>{(loaded) => <LoadedBase key={loaded.uuid} base={loaded} />}</Loaded>;
}

function LoadedBase({ base }: { base: KnowledgeBase }) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const { tab } = route.useSearch();
  // An engine that only searches has no documents.
  const first = takesDocuments(base) ? 'documents' : 'playground';
  const contents = {
    documents: <DocumentsTab base={base} />,
    playground: <PlaygroundTab base={base} />,
    questions: <QuestionsTab base={base} />,
    settings: <BaseSettings base={base} />,
  };
  const shown = baseTabs.filter((one) => one !== 'documents' || takesDocuments(base));
  return (
    <Page
      title={base.name}
      {...(base.description === '' ? {} : { introduction: base.description })}
      back={<BackLink to="/knowledge">{t('knowledge.title')}</BackLink>}
    >
      <CollectionNotices base={base} />
      <Tabs
        label={base.name}
        value={tab !== undefined && shown.includes(tab) ? tab : first}
        onChange={(next) => void navigate({ search: next === first ? {} : { tab: next } })}
        tabs={shown.map((value) => ({ value, label: t(`knowledge.tabs.${value}`), content: contents[value] }))}
      />
    </Page>
  );
}
