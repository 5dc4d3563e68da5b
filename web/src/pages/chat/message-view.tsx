import { CircleStop, CircleX, Pencil, RefreshCw } from 'lucide-react';
import { memo, type ReactNode, useDeferredValue, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../components/copy-button.tsx';
import { MessageCitations, useMessageSources } from '../../components/explain/message-citations.tsx';
import { Logo } from '../../components/logo.tsx';
import { Markdown } from '../../components/markdown.tsx';
import { MessageImage } from '../../components/message-image.tsx';
import { Button } from '../../components/ui/button.tsx';
import { classNames } from '../../lib/class-names.ts';
import { dateFormat } from '../../lib/formats.ts';
import { keptDrafts } from '../../lib/kept-drafts.ts';
import { AnswerFeedback } from './answer-feedback.tsx';
import { FileNames } from './attachment-list.tsx';
import { ChatFailure } from './chat-failure.tsx';
import type { ChatMessage } from './conversation.ts';
import { type ChatPicture, messageParts } from './message-parts.ts';
import { QuestionEditor } from './question-editor.tsx';

interface MessageViewProps {
  message: ChatMessage;
  botName: string;
  actionsOf?: ((message: ChatMessage) => ReactNode) | undefined;
  /** Present on the answer that may be written again. */
  onRegenerate?: (() => void) | undefined;
  /** Present on a question that may be changed. */
  onEdit?: ((message: ChatMessage, text: string) => void) | undefined;
}

/** One message: of the user as plain text, of the bot as Markdown. */
export const MessageView = memo(function MessageView(properties: MessageViewProps) {
  const { message, botName, actionsOf, onRegenerate, onEdit } = properties;
  const { text, pictures, files } = messageParts(message);
  const shown = (
    <>
      {pictures.length > 0 && <Pictures pictures={pictures} message={message.uuid} />}
      {files.length > 0 && <FileNames files={files} />}
    </>
  );
  const actions = actionsOf?.(message);
  if (message.role === 'user') {
    const note = message.is_stopped ? <StoppedNote /> : undefined;
    if (onEdit === undefined) return <UserMessage text={text} pictures={shown} note={note} actions={actions} />;
    return <OwnQuestion message={message} text={text} pictures={shown} note={note} actions={actions} onEdit={onEdit} />;
  }
  return (
    <BotMessage botName={botName} streaming={!message.is_final}>
      <Answer message={message} text={text} pictures={shown} actions={actions} onRegenerate={onRegenerate} />
    </BotMessage>
  );
});

interface OwnQuestionProps extends UserMessageProps {
  message: ChatMessage;
  onEdit: (message: ChatMessage, text: string) => void;
}

/** A question that the user may change. */
function OwnQuestion({ message, onEdit, actions, ...shown }: OwnQuestionProps) {
  const { t } = useTranslation();
  const name = `chat-question:${message.uuid ?? ''}`;
  // It was being changed when the page was loaded again, or when the connection was lost.
  const [isEditing, setIsEditing] = useState(() => keptDrafts.read(name) !== null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setIsEditing(false);
    // It is there again after this.
    setTimeout(() => button.current?.focus());
  };
  if (isEditing) {
    return (
      <li data-role="user">
        <QuestionEditor
          name={name}
          text={shown.text}
          onCancel={close}
          onSend={(text) => {
            setIsEditing(false);
            onEdit(message, text);
          }}
        />
      </li>
    );
  }
  return (
    <UserMessage
      {...shown}
      actions={
        <div className="flex items-center gap-1 opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
          <Button
            ref={button}
            variant="ghost"
            size="small"
            aria-label={t('chat.editNamed', { text: shown.text.slice(0, 60) })}
            title={t('chat.edit')}
            onClick={() => setIsEditing(true)}
          >
            <Pencil aria-hidden />
          </Button>
          {actions}
        </div>
      }
    />
  );
}

function StoppedNote() {
  const { t } = useTranslation();
  return (
    <p className="flex items-center gap-1.5 text-xs text-muted-foreground">
      <CircleStop aria-hidden className="size-3.5" />
      {t('chat.stopped')}
    </p>
  );
}

interface UserMessageProps {
  text: string;
  pictures?: ReactNode;
  /** A note about its delivery, if any. */
  note?: ReactNode;
  actions?: ReactNode;
}

/** The user's message; plain text, because users rarely mean Markdown. */
export function UserMessage({ text, pictures, note, actions }: UserMessageProps) {
  const { t } = useTranslation();
  return (
    <li
      // Only new messages are animated, not the history.
      className={classNames(
        'group flex flex-col items-end gap-1.5 pl-8 sm:pl-16',
        note && 'motion-safe:animate-appear',
      )}
      data-role="user"
    >
      <span className="sr-only">{t('chat.you')}:</span>
      {pictures}
      {text !== '' && (
        <div className="max-w-full rounded-2xl rounded-br-md bg-bubble px-4 py-2.5 leading-relaxed break-words whitespace-pre-wrap">
          {text}
        </div>
      )}
      {note}
      {actions}
    </li>
  );
}

interface BotMessageProps {
  botName: string;
  streaming: boolean;
  children?: ReactNode;
}

/** The frame of an answer, with an indicator while it is streamed. */
export function BotMessage({ botName, streaming, children }: BotMessageProps) {
  return (
    <li
      className={classNames('group flex gap-3.5', !children && 'motion-safe:animate-appear')}
      data-role="assistant"
      data-streaming={streaming}
    >
      <Logo className="mt-0.5 hidden size-7 shrink-0 sm:block" />
      <div className="min-w-0 flex-1">
        <span className="sr-only">{botName}:</span>
        {children}
        {streaming && (
          <div aria-hidden="true" className="flex h-7 items-center gap-1.5 text-primary">
            {[0, 150, 300].map((delay) => (
              <span
                key={delay}
                className="size-1.5 motion-safe:animate-dot rounded-full bg-current"
                style={{ animationDelay: `${delay}ms` }}
              />
            ))}
          </div>
        )}
      </div>
    </li>
  );
}

interface AnswerProps {
  message: ChatMessage;
  text: string;
  pictures: ReactNode;
  actions?: ReactNode;
  onRegenerate?: (() => void) | undefined;
}

function Answer({ message, text, pictures, actions, onRegenerate }: AnswerProps) {
  const { t, i18n } = useTranslation();
  // Parsing long Markdown takes time; deferring it keeps typing responsive.
  const shown = useDeferredValue(text);
  const { uuid, is_final: isFinal, citations: known } = message;
  const sources = useMessageSources({ uuid, text, isFinal, known });
  const [opened, setOpened] = useState<number | null>(null);
  const written = new Date(message.timestamp);
  const today = written.toDateString() === new Date().toDateString();
  return (
    <>
      {message.is_failed === true && (
        <p className="mb-1 flex items-center gap-1.5 text-sm font-medium text-destructive">
          <CircleX aria-hidden className="size-4" />
          {t('chat.failed')}
        </p>
      )}
      <Markdown text={shown} sources={sources} onOpenSource={setOpened} />
      {opened !== null && message.uuid !== undefined && (
        <MessageCitations messageUuid={message.uuid} number={opened} onClose={() => setOpened(null)} />
      )}
      {pictures}
      {message.is_failed === true && message.uuid !== undefined && <ChatFailure messageUuid={message.uuid} />}
      {message.is_stopped === true && <StoppedNote />}
      {message.is_final && (
        <div
          className={classNames(
            'mt-1.5 -ml-2.5 flex items-center gap-1 text-xs text-muted-foreground transition-opacity group-last:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100',
            !actions && 'opacity-0',
          )}
        >
          <CopyButton iconOnly text={() => text} label={t('chat.copyAnswer')} copiedLabel={t('chat.copied')} />
          {message.uuid !== undefined && message.is_failed !== true && <AnswerFeedback messageUuid={message.uuid} />}
          {onRegenerate !== undefined && (
            <Button
              variant="ghost"
              size="small"
              aria-label={t('chat.regenerate')}
              title={t('chat.regenerate')}
              onClick={onRegenerate}
            >
              <RefreshCw aria-hidden />
            </Button>
          )}
          <time dateTime={message.timestamp}>
            {dateFormat(i18n.language, { ...(!today && { dateStyle: 'medium' }), timeStyle: 'short' }).format(written)}
          </time>
          {actions}
        </div>
      )}
    </>
  );
}

function Pictures({ pictures, message }: { pictures: ChatPicture[]; message: string | undefined }) {
  const { t } = useTranslation();
  return (
    <div className="mt-2 space-y-2">
      {pictures.map(({ address, element }) => (
        <MessageImage
          key={element}
          address={address}
          alt={t('chat.picture')}
          stored={message === undefined ? undefined : { message, element }}
          className="max-h-96 rounded-xl"
        />
      ))}
    </div>
  );
}
