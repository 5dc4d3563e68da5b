import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { type Pipeline, readTaggedPipeline } from './pipeline-queries.ts';

const contentOf = ({ name, description, emoji, config, extensions_preferences }: Pipeline) => ({
  name,
  description,
  emoji,
  config,
  extensions_preferences,
});

/** The unsaved edits of a pipeline. One draft for all tabs, saved together. */
export function usePipelineDraft(pipeline: Pipeline) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useDraft({
    name: `pipeline:${pipeline.uuid}`,
    stored: pipeline,
    contentOf,
    read: () => readTaggedPipeline(pipeline.uuid),
    save: (body, headers) =>
      api.put('/api/v1/pipelines/{pipeline_uuid}', {
        params: { path: { pipeline_uuid: pipeline.uuid } },
        headers,
        body,
      }),
    onSaved: () => {
      notify.done(t('common.saved'));
      void queries.invalidateQueries({ queryKey: ['pipelines'] });
    },
  });
}

export type PipelineDraft = ReturnType<typeof usePipelineDraft>;
