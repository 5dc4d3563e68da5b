import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../components/back-link.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { accountQuery } from '../../lib/account.ts';
import { PipelineEditor } from './pipeline-editor.tsx';
import { draftQuery, formQuery, pipelineQuery } from './pipeline-queries.ts';

const route = getRouteApi('/console/pipelines/$uuid');

/** One pipeline: settings beside a chat to try them. */
export function PipelinePage() {
  const { t } = useTranslation();
  const { uuid } = route.useParams();
  const account = useQuery(accountQuery);
  const isAdmin = account.data?.role === 'admin';
  const pipeline = useQuery(pipelineQuery(uuid));
  const draft = useQuery({ ...draftQuery(uuid), enabled: isAdmin });
  const form = useQuery(formQuery);
  const back = <BackLink to="/pipelines">{t('pipelines.toList')}</BackLink>;
  // Members see what is published.
  const drafted = isAdmin ? draft.data : pipeline.data && { pipeline: pipeline.data, draft: null };
  if (account.data !== undefined && pipeline.data !== undefined && drafted !== undefined && form.data !== undefined) {
    return <PipelineEditor key={uuid} published={pipeline.data} drafted={drafted} form={form.data} back={back} />;
  }
  return (
    <Page title={t('pipelines.pipeline')} back={back}>
      <Loaded query={pipeline}>
        {() => <Loaded query={form}>{() => isAdmin && <Loaded query={draft}>{() => null}</Loaded>}</Loaded>}
      </Loaded>
    </Page>
  );
}
