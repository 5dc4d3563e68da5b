import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ListTree } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ExplainPanel } from '../../components/explain/explain-panel.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { SegmentedControl } from '../../components/ui/segmented-control.tsx';
import { notify } from '../../lib/notify.ts';
import type { ChatMessage } from '../chat/conversation.ts';
import { ConversationView } from '../chat/conversation-view.tsx';
import { findMessage } from './find-message.ts';
import type { Pipeline } from './pipeline-queries.ts';
import type { PipelineDraft } from './use-pipeline-draft.ts';

const route = getRouteApi('/console/pipelines/$uuid');

/** A chat with the stored pipeline, with the trace of each message. */
export function DebugChat({ pipeline, draft }: { pipeline: Pipeline; draft: PipelineDraft }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { session, message } = route.useSearch();
  const sessionType = session ?? 'person';
  const { uuid } = pipeline;

  const show = useCallback(
    (place: { session?: 'group' | undefined; message?: string | undefined }) => {
      const known = Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined));
      void navigate({
        to: '/pipelines/$uuid',
        params: { uuid },
        replace: true,
        resetScroll: false,
        search: { tab: 'chat', ...known },
      });
    },
    [navigate, uuid],
  );
  const actionsOf = useCallback(
    (one: ChatMessage) => (
      <ExplainButton
        message={one}
        onOpen={async () => {
          const found = await findMessage(uuid, sessionType, one);
          show({ session, message: found });
        }}
      />
    ),
    [uuid, session, sessionType, show],
  );

  const header = (startOver: ReactNode) => (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-2 border-b px-4 py-2 sm:px-6">
      <SegmentedControl
        label={t('pipelines.chatAs')}
        value={sessionType}
        options={[
          { value: 'person', label: t('pipelines.person') },
          { value: 'group', label: t('pipelines.group') },
        ]}
        onChange={(next) => show({ session: next === 'group' ? next : undefined })}
      />
      <div className="ml-auto">{startOver}</div>
      {sessionType === 'group' && (
        <p className="basis-full text-xs text-pretty text-muted-foreground">
          {t('pipelines.groupNote')}{' '}
          <Link
            to="/pipelines/$uuid"
            params={{ uuid }}
            search={{ tab: 'trigger' }}
            className="rounded font-medium text-primary underline underline-offset-4"
          >
            {t('pipelines.groupRules')}
          </Link>
        </p>
      )}
    </div>
  );

  return (
    <div>
      <h2 className="sr-only">{t('pipelines.chat')}</h2>
      {draft.isDirty ? (
        <Alert variant="notice" className="mb-3">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <span className="min-w-0 flex-1 basis-60">{t('pipelines.chatUnsaved')}</span>
            <Button variant="outline" size="small" disabled={draft.isSaving} onClick={draft.save}>
              {t('common.save')}
            </Button>
          </div>
        </Alert>
      ) : (
        <p className="mb-3 text-sm text-muted-foreground">{t('pipelines.chatText')}</p>
      )}
      <div className="flex h-[max(28rem,calc(100dvh-17rem))] gap-4">
        <section
          aria-label={t('pipelines.chat')}
          className="flex min-h-0 min-w-0 flex-1 flex-col overflow-hidden rounded-2xl border bg-background"
        >
          <ConversationView
            key={sessionType}
            pipelineUuid={uuid}
            botName={pipeline.name}
            sessionType={sessionType}
            header={header}
            actionsOf={actionsOf}
          />
        </section>
        {message !== undefined && (
          <ExplainPanel
            messageUuid={message}
            onOpenMessage={(other) => show({ session, message: other })}
            onClose={() => show({ session })}
          />
        )}
      </div>
    </div>
  );
}

function ExplainButton({ message, onOpen }: { message: ChatMessage; onOpen: () => Promise<void> }) {
  const { t } = useTranslation();
  return (
    <Button
      variant="ghost"
      size="small"
      className="text-xs"
      aria-label={`${t('explain.openNamed')}: ${message.content.slice(0, 60)}`}
      onClick={() => onOpen().catch(notify.failed)}
    >
      <ListTree aria-hidden />
      {t('explain.open')}
    </Button>
  );
}
