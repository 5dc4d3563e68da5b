import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { faultsOf, useDraft } from '../../lib/use-draft.ts';
import { contentOf } from './pipeline-content.ts';
import { type FormTab, placeAt, shownFields } from './pipeline-fields.ts';
import { type DraftedPipeline, type Pipeline, readTaggedDraft } from './pipeline-queries.ts';

/**
 * The edits of a pipeline: one draft for all tabs. What is typed is kept in the browser until it is saved as draft, which
 * bots do not use until it is published.
 * @param published what bots use
 * @param form the schema of the configuration
 */
export function usePipelineDraft(
  published: Pipeline,
  { pipeline: drafted, draft: saved }: DraftedPipeline,
  form: readonly FormTab[],
) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { uuid } = published;
  const pathOf = { params: { path: { pipeline_uuid: uuid } } };
  const refresh = () => queries.invalidateQueries({ queryKey: ['pipelines'] });
  /** A draft that is saved only to be published or tried needs no message. */
  const isSilent = useRef(false);

  const editing = useDraft({
    name: `pipeline:${uuid}`,
    stored: drafted,
    contentOf,
    read: () => readTaggedDraft(uuid),
    save: (body, headers) =>
      api.put('/api/v1/pipelines/{pipeline_uuid}/draft', {
        ...pathOf,
        headers,
        body,
      }),
    isShown: (path, { config }) => placeAt(shownFields(form, config), path) !== null,
    onSaved: () => {
      if (!isSilent.current) notify.done(t('pipelines.draftSaved'));
      void refresh();
    },
  });

  const publishing = useMutation({
    mutationFn: async () => {
      isSilent.current = true;
      if (editing.isDirty && !(await editing.saveNow())) return false;
      const body = { replaces: published.version };
      await api.post('/api/v1/pipelines/{pipeline_uuid}/draft/publish', { ...pathOf, body });
      return true;
    },
    onSuccess: (isDone) => {
      if (isDone) notify.done(t('pipelines.published'));
    },
    onSettled: () => {
      isSilent.current = false;
      return refresh();
    },
  });

  const discarding = useMutation({
    mutationFn: () => api.delete('/api/v1/pipelines/{pipeline_uuid}/draft', pathOf),
    onSuccess: () => {
      editing.discard();
      return refresh();
    },
  });

  return {
    ...editing,
    /** What bots use. */
    published: contentOf(published),
    /** The draft that is stored; null while there is none. */
    saved,
    /** Whether the published version is not the one that the stored draft was begun from. */
    isOutdated: saved !== null && saved.base_version !== published.version,
    isSaving: editing.isSaving || publishing.isPending,
    error: editing.error ?? publishing.error,
    faults: editing.faults.length > 0 ? editing.faults : faultsOf(publishing.error),
    publish: () => publishing.mutate(),
    discardSaved: () => discarding.mutateAsync(),
    /** Saves the edits, if there are any, so that the draft answers as it is shown. @returns whether that worked */
    settle: async () => {
      if (!editing.isDirty) return true;
      isSilent.current = true;
      return editing
        .saveNow()
        .catch(() => false)
        .finally(() => {
          isSilent.current = false;
        });
    },
  };
}

export type PipelineDraft = ReturnType<typeof usePipelineDraft>;
