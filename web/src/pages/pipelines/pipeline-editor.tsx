import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Copy, FileOutput, Star } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { SaveBar } from '../../components/forms/save-bar.tsx';
import { UnsavedChanges } from '../../components/forms/unsaved-changes.tsx';
import { Page } from '../../components/page.tsx';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';
import { useIsAdmin } from '../../lib/account.ts';
import { classNames } from '../../lib/class-names.ts';
import { localized } from '../../lib/i18n.ts';
import { shownLabel } from '../../lib/shown-label.ts';
import { useMediaQuery } from '../../lib/use-media-query.ts';
import { ChangesButton } from './changes-button.tsx';
import { CompareTab } from './compare-tab.tsx';
import { ConfigurationTab } from './configuration-tab.tsx';
import { DebugChat } from './debug-chat.tsx';
import { DeletePipelineDialog } from './delete-pipeline-dialog.tsx';
import { ExtensionsTab } from './extensions-tab.tsx';
import { FaultList } from './fault-list.tsx';
import { FieldSearch } from './field-search.tsx';
import { focusField } from './focus-field.ts';
import { GeneralTab } from './general-tab.tsx';
import { type FormTab, nameOfPlace, shownFields, tabOf } from './pipeline-fields.ts';
import type { DraftedPipeline, Pipeline } from './pipeline-queries.ts';
import { usePipelineActions } from './use-pipeline-actions.ts';
import { usePipelineDraft } from './use-pipeline-draft.ts';
import { VersionsTab } from './versions-tab.tsx';

const route = getRouteApi('/console/pipelines/$uuid');

interface PipelineEditorProps {
  /** What bots use. */
  published: Pipeline;
  /** What is edited. */
  drafted: DraftedPipeline;
  /** The schema of the configuration. */
  form: readonly FormTab[];
  back: ReactNode;
}

/** The tabs of a pipeline, with a common draft, beside a chat that answers with it; on narrow screens, the chat is a tab. */
export function PipelineEditor({ published: pipeline, drafted, form, back }: PipelineEditorProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { field, ...search } = route.useSearch();
  const [isLeaving, setLeaving] = useState(false);
  const [isDiscarding, setDiscarding] = useState(false);
  const { copy, exportFile, makeDefault } = usePipelineActions();
  const isAdmin = useIsAdmin();
  const draft = usePipelineDraft(pipeline, drafted, form);
  const isWide = useMediaQuery('(min-width: 80rem)');
  const { value, change, faults } = draft;

  // The most frequently used tab is first.
  const parts = [...form].sort((left, right) => Number(right.name === 'ai') - Number(left.name === 'ai'));
  const names = [
    ...parts.map(({ name }) => name),
    'extensions',
    'general',
    ...(isAdmin ? ['versions', 'compare'] : []),
    ...(isWide ? [] : ['chat']),
  ];
  const tab = names.find((name) => name === search.tab) ?? names[0] ?? 'general';
  const chat = <DebugChat pipeline={pipeline} draft={draft} isAdmin={isAdmin} />;
  /** Its input is at the bottom of the page. */
  const isChat = tab === 'chat' || tab === 'compare';
  /** Comparing answers needs its place. */
  const showsChat = isWide && tab !== 'compare';
  /** The trace needs the place of the settings. */
  const hidesSettings = showsChat && search.message !== undefined;
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
      width="wide"
      actions={
        <>
          {tab !== 'chat' && !hidesSettings && <FieldSearch places={places} onChoose={openField} />}
          <Badge>{t('pipelines.versionNumber', { number: pipeline.version })}</Badge>
          {draft.saved !== null && (
            <span title={t('pipelines.draftText')}>
              <Badge tone="busy">{t('pipelines.draft')}</Badge>
            </span>
          )}
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
                { label: t('pipelines.export'), icon: FileOutput, onSelect: () => exportFile.mutate(pipeline) },
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
      <div
        className={classNames(
          'grid items-start gap-8',
          showsChat && !hidesSettings && 'grid-cols-[minmax(0,5fr)_minmax(22rem,4fr)]',
        )}
      >
        <div hidden={hidesSettings} className="min-w-0">
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
                    typed={draft.typed}
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
              ...(isAdmin
                ? [
                    {
                      value: 'versions',
                      label: t('pipelines.versions'),
                      content: <VersionsTab pipeline={pipeline} form={parts} />,
                    },
                    {
                      value: 'compare',
                      label: t('pipelines.compareAnswers'),
                      content: <CompareTab pipeline={pipeline} draft={draft} />,
                    },
                  ]
                : []),
              ...(isWide ? [] : [{ value: 'chat', label: t('pipelines.chat'), content: chat }]),
            ]}
          />
        </div>
        {showsChat && <div className="sticky top-4 min-w-0">{chat}</div>}
      </div>
      {isAdmin && isChat && <UnsavedChanges when={draft.isDirty} acrossTabs onLeave={draft.forget} />}
      {isAdmin && !isChat && (
        <SaveBar
          draft={draft}
          acrossTabs
          labelOf={(path) => nameOfPlace(parts, path) ?? shownLabel(path)}
          saveLabel={t('pipelines.saveDraft')}
          mainAction={
            <Button disabled={draft.isSaving || (!draft.isDirty && draft.saved === null)} onClick={draft.publish}>
              {t('pipelines.publish')}
            </Button>
          }
          {...(faults.length === 0 ? {} : { failure: t('pipelines.faults', { count: faults.length }) })}
        >
          {(draft.isDirty || draft.saved !== null) && <ChangesButton form={parts} draft={draft} />}
          {draft.saved !== null && !draft.isDirty && (
            <Button variant="ghost" disabled={draft.isSaving} onClick={() => setDiscarding(true)}>
              {t('pipelines.discardDraft')}
            </Button>
          )}
          <FaultList faults={faults} places={places} onChoose={openField} />
          {draft.isOutdated && <p className="basis-full text-sm text-pretty">{t('pipelines.draftOutdated')}</p>}
        </SaveBar>
      )}
      {isDiscarding && (
        <ConfirmDialog
          title={t('pipelines.discardDraftTitle')}
          text={t('pipelines.discardDraftText')}
          confirm={t('pipelines.discardDraft')}
          action={draft.discardSaved}
          onClose={() => setDiscarding(false)}
        />
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
