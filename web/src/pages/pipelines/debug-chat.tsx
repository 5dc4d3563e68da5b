import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ListTree } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ExplainPanel } from '../../components/explain/explain-panel.tsx';
import { Button } from '../../components/ui/button.tsx';
import { SegmentedControl } from '../../components/ui/segmented-control.tsx';
import { markdownText } from '../../lib/markdown-text.ts';
import { notify } from '../../lib/notify.ts';
import type { ChatMessage } from '../chat/conversation.ts';
import { ConversationView } from '../chat/conversation-view.tsx';
import { findMessage } from './find-message.ts';
import type { Pipeline } from './pipeline-queries.ts';
import type { PipelineDraft } from './use-pipeline-draft.ts';

const route = getRouteApi('/console/pipelines/$uuid');

/** What the URL says of the chat. */
interface Place {
  session?: 'group' | undefined;
  answers?: 'published' | undefined;
  message?: string | undefined;
}

const draftTrial = { version: 'draft' };

interface DebugChatProps {
  pipeline: Pipeline;
  draft: PipelineDraft;
  /** Whether the draft may be tried. */
  isAdmin: boolean;
}

/**
 * A chat with the draft of a pipeline, or with what is published, with the trace of each message. Each has a conversation
 * of its own. Edits are saved as draft before a message is sent to it.
 */
export function DebugChat({ pipeline, draft, isAdmin }: DebugChatProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { tab, session, answers, message } = route.useSearch();
  const sessionType = session ?? 'person';
  const isDraft = isAdmin && answers !== 'published';
  const { uuid } = pipeline;

  const show = useCallback(
    (place: Place) => {
      const known = Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined));
      void navigate({
        to: '/pipelines/$uuid',
        params: { uuid },
        replace: true,
        resetScroll: false,
        search: { ...(tab && { tab }), ...known },
      });
    },
    [navigate, uuid, tab],
  );
  const actionsOf = useCallback(
    (one: ChatMessage) => (
      <ExplainButton
        message={one}
        onOpen={async () => {
          const found = await findMessage(uuid, sessionType, one);
          show({ session, answers, message: found });
        }}
      />
    ),
    [uuid, session, sessionType, answers, show],
  );

  const header = (startOver: ReactNode) => (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-2 border-b px-4 py-2 sm:px-6">
      {isAdmin && (
        <SegmentedControl
          label={t('pipelines.chatAnswers')}
          value={isDraft ? 'draft' : 'published'}
          options={[
            { value: 'draft', label: t('pipelines.draft') },
            { value: 'published', label: t('pipelines.publishedBadge') },
          ]}
          onChange={(next) => show({ session, answers: next === 'published' ? next : undefined })}
        />
      )}
      <SegmentedControl
        label={t('pipelines.chatAs')}
        value={sessionType}
        options={[
          { value: 'person', label: t('pipelines.person') },
          { value: 'group', label: t('pipelines.group') },
        ]}
        onChange={(next) => show({ answers, session: next === 'group' ? next : undefined })}
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
      <p className="mb-3 text-sm text-muted-foreground">{t(isDraft ? 'pipelines.chatDraft' : 'pipelines.chatText')}</p>
      <div className="flex h-[max(28rem,calc(100dvh-15.5rem))] gap-4">
        <section
          aria-label={t('pipelines.chat')}
          className="flex min-h-0 min-w-0 flex-1 flex-col overflow-hidden rounded-2xl border bg-background"
        >
          <ConversationView
            key={`${sessionType} ${isDraft}`}
            pipelineUuid={uuid}
            {...(isDraft && { trial: draftTrial, beforeSend: draft.settle })}
            {...(!isDraft && sessionType === 'person' && { conversation: 'editor' })}
            botName={pipeline.name}
            sessionType={sessionType}
            header={header}
            actionsOf={actionsOf}
          />
        </section>
        {message !== undefined && (
          <ExplainPanel
            messageUuid={message}
            onOpenMessage={(other) => show({ session, answers, message: other })}
            onClose={() => show({ session, answers })}
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
      aria-label={`${t('explain.openNamed')}: ${markdownText(message.content.slice(0, 500)).slice(0, 60)}`}
      onClick={() => onOpen().catch(notify.failed)}
    >
      <ListTree aria-hidden />
      {t('explain.open')}
    </Button>
  );
}
