import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Copy, Star } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { SaveBar } from '../../components/forms/save-bar.tsx';
import { UnsavedChanges } from '../../components/forms/unsaved-changes.tsx';
import { Page } from '../../components/page.tsx';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';
import { useIsAdmin } from '../../lib/account.ts';
import { localized } from '../../lib/i18n.ts';
import { ChangesButton } from './changes-button.tsx';
import { ConfigurationTab } from './configuration-tab.tsx';
import { DebugChat } from './debug-chat.tsx';
import { DeletePipelineDialog } from './delete-pipeline-dialog.tsx';
import { ExtensionsTab } from './extensions-tab.tsx';
import { FaultList } from './fault-list.tsx';
import { FieldSearch } from './field-search.tsx';
import { focusField } from './focus-field.ts';
import { GeneralTab } from './general-tab.tsx';
import { type FormTab, shownFields, tabOf } from './pipeline-fields.ts';
import type { Pipeline } from './pipeline-queries.ts';
import { usePipelineActions } from './use-pipeline-actions.ts';
import { usePipelineDraft } from './use-pipeline-draft.ts';

const route = getRouteApi('/console/pipelines/$uuid');

interface PipelineEditorProps {
  pipeline: Pipeline;
  /** The schema of the configuration. */
  form: readonly FormTab[];
  back: ReactNode;
}

/** The tabs of a pipeline, with a common draft. */
export function PipelineEditor({ pipeline, form, back }: PipelineEditorProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { field, ...search } = route.useSearch();
  const [isLeaving, setLeaving] = useState(false);
  const { copy, makeDefault } = usePipelineActions();
  const isAdmin = useIsAdmin();
  const draft = usePipelineDraft(pipeline);
  const { value, change, faults } = draft;

  // The most frequently used tab is first.
  const parts = [...form].sort((left, right) => Number(right.name === 'ai') - Number(left.name === 'ai'));
  const names = [...parts.map(({ name }) => name), 'extensions', 'general', 'chat'];
  const tab = names.find((name) => name === search.tab) ?? names[0] ?? 'general';
  const places = shownFields(parts, value.config);

  const go = (place: { tab: string; field?: string }) =>
    void navigate({
      to: '/pipelines/$uuid',
      params: { uuid: pipeline.uuid },
      search: place,
      replace: true,
      resetScroll: false,
    });
  const openField = (path: string) => {
    // The URL may contain the field already; it must be scrolled into view again.
    if (path === field) focusField(path);
    else go({ tab: tabOf(path), field: path });
  };
  useEffect(() => {
    if (field === undefined) return;
    // The tab of the field mounts its content only after it was selected.
    const frame = requestAnimationFrame(() => focusField(field));
    return () => cancelAnimationFrame(frame);
  }, [field]);

  const marked = (name: string) => {
    const count = faults.filter(({ path }) => tabOf(path) === name).length;
    return count === 0 ? undefined : (
      <Badge tone="bad">
        <span aria-hidden>{count}</span>
        <span className="sr-only">{t('pipelines.faults', { count })}</span>
      </Badge>
    );
  };

  /** Read-only for members. */
  const editable = (content: ReactNode) => (
    <fieldset disabled={!isAdmin} className="contents">
      {content}
    </fieldset>
  );

  return (
    <Page
      title={pipeline.name}
      back={back}
      actions={
        <>
          {tab !== 'chat' && <FieldSearch places={places} onChoose={openField} />}
          {pipeline.is_default && (
            <span title={t('pipelines.defaultText')}>
              <Badge>{t('pipelines.default')}</Badge>
            </span>
          )}
          {isAdmin && (
            <ActionMenu
              subject={pipeline.name}
              actions={[
                {
                  label: t('pipelines.copy'),
                  icon: Copy,
                  onSelect: () =>
                    copy.mutate(pipeline, {
                      onSuccess: ({ uuid }) => void navigate({ to: '/pipelines/$uuid', params: { uuid } }),
                    }),
                },
                {
                  label: t('pipelines.makeDefault'),
                  icon: Star,
                  disabled: pipeline.is_default,
                  onSelect: () => makeDefault.mutate(pipeline),
                },
              ]}
              onDelete={() => setLeaving(true)}
            />
          )}
        </>
      }
    >
      <Tabs
        label={t('pipelines.tabs')}
        value={tab}
        onChange={(next) => go({ tab: next })}
        tabs={[
          ...parts.map((part) => ({
            value: part.name,
            label: localized(part.label),
            badge: marked(part.name),
            content: editable(
              <ConfigurationTab
                tab={part}
                form={form}
                config={value.config}
                faults={faults}
                onChange={(config) => change({ ...value, config })}
              />,
            ),
          })),
          {
            value: 'extensions',
            label: t('pipelines.extensions'),
            badge: marked('extensions'),
            content: editable(
              <ExtensionsTab
                pipelineUuid={pipeline.uuid}
                value={value.extensions_preferences}
                onChange={(extensions_preferences) => change({ ...value, extensions_preferences })}
              />,
            ),
          },
          {
            value: 'general',
            label: t('pipelines.general'),
            badge: marked('general'),
            content: editable(
              <GeneralTab value={value} faults={faults} onChange={(part) => change({ ...value, ...part })} />,
            ),
          },
          {
            value: 'chat',
            label: t('pipelines.chat'),
            content: <DebugChat pipeline={pipeline} draft={draft} />,
          },
        ]}
      />
      {tab === 'chat' ? (
        <UnsavedChanges when={draft.isDirty} acrossTabs onLeave={draft.forget} />
      ) : (
        isAdmin && (
          <SaveBar
            draft={draft}
            acrossTabs
            {...(faults.length === 0 ? {} : { failure: t('pipelines.faults', { count: faults.length }) })}
          >
            {draft.isDirty && <ChangesButton form={parts} draft={draft} />}
            <FaultList faults={faults} places={places} onChoose={openField} />
          </SaveBar>
        )
      )}
      {isLeaving && (
        <DeletePipelineDialog
          pipeline={pipeline}
          onDeleted={() => void navigate({ to: '/pipelines', ignoreBlocker: true })}
          onClose={() => setLeaving(false)}
        />
      )}
    </Page>
  );
}
