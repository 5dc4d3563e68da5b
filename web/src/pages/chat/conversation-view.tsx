import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { ArrowDown } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { accountQuery } from '../../lib/account.ts';
import { classNames } from '../../lib/class-names.ts';
import { reasonText } from '../../lib/error-text.ts';
import { ClearButton } from './clear-button.tsx';
import { Composer } from './composer.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import type { Attachment, ChatMessage, ConversationError } from './conversation.ts';
import { EmptyConversation } from './empty-conversation.tsx';
import { conversationKeys } from './kept-messages.ts';
import { MessageList, useIsAnswering } from './message-list.tsx';
import { type SessionType, type Trial, useConversation } from './use-conversation.ts';
import { useStickToEnd } from './use-stick-to-end.ts';

interface ConversationViewProps {
  pipelineUuid: string;
  botName: string | undefined;
  sessionType?: SessionType;
  trial?: Trial;
  /** Name of the conversation; by default the first one. */
  conversation?: string;
  /** Called with each message; false if it is not to be sent. */
  beforeSend?: () => Promise<boolean>;
  /** Whether the input has the focus at first. */
  takesFocus?: boolean;
  /** Shown above; receives the button that resets the conversation. */
  header: (startOver: ReactNode) => ReactNode;
  /** Actions of a stored message. */
  actionsOf?: (message: ChatMessage) => ReactNode;
}

/** A conversation with a pipeline: messages, streamed answer, and input. */
export function ConversationView(properties: ConversationViewProps) {
  // What is not sent belongs to the account.
  const account = useQuery(accountQuery);
  return (
    <Loaded query={account}>
      {({ user }) => (
        <AccountConversation key={`${user}/${properties.pipelineUuid}/${properties.conversation}`} {...properties} />
      )}
    </Loaded>
  );
}

function AccountConversation({
  pipelineUuid,
  botName,
  sessionType = 'person',
  trial,
  conversation,
  takesFocus = false,
  beforeSend,
  header,
  actionsOf,
}: ConversationViewProps) {
  const { t } = useTranslation();
  const place = { ...trial, ...(conversation !== undefined && { conversation }) };
  const chat = useConversation(pipelineUuid, sessionType, place);
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { follows, goToEnd } = useStickToEnd(box, content);
  const isAnswering = useIsAnswering(chat);
  const empty = chat.loaded && chat.messages.length === 0 && chat.outgoing.length === 0;

  const send = async (text: string, attachments: Attachment[] = []) => {
    if (beforeSend !== undefined && !(await beforeSend())) return false;
    goToEnd();
    chat.send(text, attachments);
    return true;
  };

  const startOver = <ClearButton disabled={chat.messages.length === 0} onClear={chat.clear} />;

  return (
    <>
      {header(startOver)}
      <div ref={box} className="relative flex-1 overflow-y-auto overscroll-contain scroll-pb-4">
        <div ref={content} className={classNames('mx-auto flex min-h-full max-w-3xl flex-col px-4 sm:px-6')}>
          {empty ? (
            <EmptyConversation onChoose={send} />
          ) : (
            <MessageList
              chat={chat}
              botName={botName ?? t('chat.bot')}
              actionsOf={actionsOf}
              mayEdit={sessionType === 'person'}
            />
          )}
        </div>
      </div>
      <footer className="relative mx-auto w-full max-w-3xl px-3 before:pointer-events-none before:absolute before:inset-x-0 before:-top-8 before:h-8 before:bg-linear-to-t before:from-background pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-6">
        {!follows && (
          <Button
            variant="outline"
            size="icon"
            aria-label={t('chat.toLatest')}
            title={t('chat.toLatest')}
            onClick={goToEnd}
            className="absolute -top-13 left-1/2 -translate-x-1/2 motion-safe:animate-appear rounded-full shadow-md"
          >
            <ArrowDown aria-hidden />
          </Button>
        )}
        <ConnectionNotice state={chat.connection} />
        {chat.loadError !== null && (
          <FailureAlert className="mb-2.5" title={t('chat.loadFailed')} error={chat.loadError}>
            <button type="button" className="font-medium underline underline-offset-4" onClick={() => void chat.load()}>
              {t('chat.retry')}
            </button>
          </FailureAlert>
        )}
        {chat.notice !== null && (
          <Alert variant="notice" className="mb-2.5" dismiss={{ label: t('chat.dismiss'), onDismiss: chat.dismiss }}>
            {chat.notice}
          </Alert>
        )}
        {chat.error !== null && (
          <Alert className="mb-2.5" dismiss={{ label: t('chat.dismiss'), onDismiss: chat.dismiss }}>
            {errorWords(chat.error, t)}
          </Alert>
        )}
        <Composer
          storageKey={conversationKeys(pipelineUuid, sessionType, place).text}
          takesFocus={takesFocus}
          takesFiles
          onSend={send}
          onStop={isAnswering ? chat.stop : undefined}
          isStopping={chat.stopping}
        />
      </footer>
    </>
  );
}

function errorWords({ message, reason = '', missingFile }: ConversationError, t: TFunction): string {
  if (missingFile !== undefined) return t('chat.fileGone', { name: missingFile });
  return reasonText(reason, t) ?? message;
}
