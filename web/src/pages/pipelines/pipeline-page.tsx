import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../components/back-link.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { PipelineEditor } from './pipeline-editor.tsx';
import { formQuery, pipelineQuery } from './pipeline-queries.ts';

const route = getRouteApi('/console/pipelines/$uuid');

/** One pipeline: settings, and a chat to test it. */
export function PipelinePage() {
  const { t } = useTranslation();
  const { uuid } = route.useParams();
  const pipeline = useQuery(pipelineQuery(uuid));
  const form = useQuery(formQuery);
  const back = <BackLink to="/pipelines">{t('pipelines.toList')}</BackLink>;
  if (pipeline.data !== undefined && form.data !== undefined) {
    return <PipelineEditor key={uuid} pipeline={pipeline.data} form={form.data} back={back} />;
  }
  return (
    <Page title={t('pipelines.pipeline')} back={back}>
      <Loaded query={pipeline}>{() => <Loaded query={form}>{() => null}</Loaded>}</Loaded>
    </Page>
  );
}
