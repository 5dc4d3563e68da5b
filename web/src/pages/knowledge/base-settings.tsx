import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { defaultsOf, type FormValue } from '../../components/forms/form-field.ts';
import { SaveBar } from '../../components/forms/save-bar.tsx';
import { SchemaForm } from '../../components/forms/schema-form.tsx';
import { Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { DeleteBaseDialog } from './delete-base-dialog.tsx';
import {
  enginesQuery,
  type KnowledgeBase,
  type KnowledgeEngine,
  readTaggedBase,
  takesDocuments,
} from './knowledge-queries.ts';
import { usedRetrievalFields } from './retrieval-fields.ts';

interface BaseContent {
  name: string;
  description: string;
  retrieval: FormValue;
  creation: FormValue;
}

/** Name, retrieval settings and creation settings of a knowledge base. */
export function BaseSettings({ base }: { base: KnowledgeBase }) {
  const engines = useQuery(enginesQuery);
  return (
    <Loaded query={engines}>
      {(all) => (
        <BaseForm base={base} engine={all.find(({ plugin_id }) => plugin_id === base.knowledge_engine_plugin_id)} />
      )}
    </Loaded>
  );
}

/** @param engine missing if it is not installed any more; then only the name can be changed */
function BaseForm({ base, engine }: { base: KnowledgeBase; engine: KnowledgeEngine | undefined }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isLeaving, setLeaving] = useState(false);
  const retrievalFields = engine?.retrieval_schema.schema ?? [];
  const creationFields = engine?.creation_schema.schema ?? [];
  const [contentOf] = useState(
    () =>
      (stored: KnowledgeBase): BaseContent => ({
        name: stored.name,
        description: stored.description,
        // Only changed values are stored; others have their defaults.
        retrieval: { ...defaultsOf(retrievalFields), ...stored.retrieval_settings },
        creation: { ...defaultsOf(creationFields), ...stored.creation_settings },
      }),
  );
  const draft = useDraft({
    name: `knowledge-base:${base.uuid}`,
    stored: base,
    contentOf,
    read: () => readTaggedBase(base.uuid),
    save: async ({ name, description, retrieval, creation }, headers) => {
      const original = contentOf(base);
      const isOther = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);
      const { task_id } = await api.put('/api/v1/knowledge/bases/{knowledge_base_uuid}', {
        params: { path: { knowledge_base_uuid: base.uuid } },
        headers,
        body: {
          name: name.trim(),
          description,
          ...(isOther(retrieval, original.retrieval) ? { retrieval_settings: retrieval } : {}),
          ...(isOther(creation, original.creation) ? { creation_settings: creation } : {}),
        },
      });
      notify.done(t(task_id === null ? 'common.saved' : 'knowledge.rebuildBegun'));
    },
    onSaved: () => void queries.invalidateQueries({ queryKey: ['knowledge'] }),
  });
  const { value, faults } = draft;
  const change = (part: Partial<BaseContent>) => draft.change({ ...value, ...part });
  const usedFields = engine === undefined ? [] : usedRetrievalFields(engine, value.creation);
  const faultOf = (path: string) => faults.find((fault) => fault.path === path)?.message;
  const isRebuild = JSON.stringify(value.creation) !== JSON.stringify(draft.original.creation);
  const isBusy = base.collections.some(({ state }) => state === 'building' || state === 'waiting');
  return (
    <>
      <div className="max-w-2xl">
        <Section title={t('knowledge.general')}>
          <div className="space-y-5">
            <TextField
              label={t('common.name')}
              value={value.name}
              maxLength={255}
              error={faultOf('name')}
              onChange={(event) => change({ name: event.target.value })}
            />
            <TextField
              label={t('knowledge.descriptionOptional')}
              value={value.description}
              maxLength={2000}
              help={t('knowledge.descriptionHelp')}
              error={faultOf('description')}
              onChange={(event) => change({ description: event.target.value })}
            />
          </div>
        </Section>
        {engine === undefined && (
          <Alert className="mt-8">{t('knowledge.engineGone', { name: base.knowledge_engine_plugin_id ?? '' })}</Alert>
        )}
        {usedFields.length > 0 && (
          <Section title={t('knowledge.retrievalSettings')} text={t('knowledge.retrievalSettingsText')}>
            <SchemaForm
              fields={usedFields}
              value={value.retrieval}
              onChange={(retrieval) => change({ retrieval })}
              typed={draft.typed}
              faults={faults}
              path="retrieval_settings"
            />
          </Section>
        )}
        {creationFields.length > 0 && (
          <Section
            title={t('knowledge.creationSettings')}
            text={t(takesDocuments(base) ? 'knowledge.creationSettingsText' : 'knowledge.connectionText')}
          >
            {isBusy && <p className="mb-4 text-sm text-notice">{t('knowledge.settledMeanwhile')}</p>}
            <fieldset disabled={isBusy} className="min-w-0">
              <SchemaForm
                fields={creationFields}
                value={value.creation}
                onChange={(creation) => change({ creation })}
                typed={draft.typed}
                faults={faults}
                path="creation_settings"
              />
            </fieldset>
            {isRebuild && takesDocuments(base) && (
              <Alert variant="notice" className="mt-5">
                {t('knowledge.rebuildNotice', { count: base.document_count })}
              </Alert>
            )}
          </Section>
        )}
        <Section title={t('knowledge.delete')} text={t('knowledge.deleteSettingText')}>
          <Button variant="outline" className="text-destructive" onClick={() => setLeaving(true)}>
            <Trash2 aria-hidden />
            {t('knowledge.delete')}
          </Button>
        </Section>
      </div>
      <SaveBar draft={draft} />
      {isLeaving && (
        <DeleteBaseDialog
          base={base}
          onDeleted={() => void navigate({ to: '/knowledge', ignoreBlocker: true })}
          onClose={() => setLeaving(false)}
        />
      )}
    </>
  );
}
