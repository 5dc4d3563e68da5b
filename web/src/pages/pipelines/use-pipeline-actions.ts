import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { savePipelineFile } from './pipeline-file.ts';
import type { Pipeline } from './pipeline-queries.ts';

/** Actions of a pipeline. */
export function usePipelineActions() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const onError = (error: unknown) => notify.failed(error);
  const pathOf = ({ uuid }: Pipeline) => ({ params: { path: { pipeline_uuid: uuid } } });
  const copy = useMutation({
    mutationFn: (pipeline: Pipeline) => api.post('/api/v1/pipelines/{pipeline_uuid}/copy', pathOf(pipeline)),
    onSuccess: async (_, { name }) => {
      notify.done(t('pipelines.copied', { name }));
      await queries.invalidateQueries({ queryKey: ['pipelines'] });
    },
    onError,
  });
  const makeDefault = useMutation({
    mutationFn: (pipeline: Pipeline) => api.put('/api/v1/pipelines/{pipeline_uuid}/default', pathOf(pipeline)),
    onSuccess: async (_, { name }) => {
      notify.done(t('pipelines.madeDefault', { name }));
      await queries.invalidateQueries({ queryKey: ['pipelines'] });
      await queries.invalidateQueries({ queryKey: ['partner'] });
    },
    onError,
  });
  const exportFile = useMutation({ mutationFn: savePipelineFile, onError });
  return { copy, exportFile, makeDefault };
}
