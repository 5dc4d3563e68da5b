import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { markdownText } from '../../lib/markdown-text.ts';
import { exactTime } from '../../lib/number-text.ts';
import { useMediaQuery } from '../../lib/use-media-query.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ExplainTimeline } from './explain-timeline.tsx';
import { explanationQuery } from './explanation-query.ts';

interface ExplainPanelProps {
  messageUuid: string;
  onOpenMessage: (uuid: string) => void;
  onClose: () => void;
}

/**
 * The trace of a message in a side panel, or over the page on narrow screens. Receives the focus, and returns it when
 * it is closed.
 */
export function ExplainPanel({ messageUuid, onOpenMessage, onClose }: ExplainPanelProps) {
  const { t } = useTranslation();
  const isWide = useMediaQuery('(min-width: 80rem)');
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  const [opener] = useState(() => document.activeElement);
  useEffect(() => {
    heading.current?.focus();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [opener]);

  const close = (
    <Button variant="ghost" size="icon" aria-label={t('explain.close')} title={t('explain.close')} onClick={onClose}>
      <X aria-hidden />
    </Button>
  );
  const story = (
    <>
      <Subject messageUuid={messageUuid} />
      <ExplainTimeline key={messageUuid} messageUuid={messageUuid} onOpenMessage={onOpenMessage} />
    </>
  );
  if (!isWide) {
    return (
      <Dialog title={t('explain.title')} width="page" onClose={onClose}>
        <div className="absolute top-4 right-4">{close}</div>
        <div className="mt-4">{story}</div>
      </Dialog>
    );
  }
  return (
    <aside
      aria-labelledby={id}
      className="flex min-h-0 w-104 shrink-0 motion-safe:animate-appear flex-col rounded-2xl border bg-card max-xl:hidden"
    >
      <div className="flex items-center gap-2 border-b py-2 pr-2 pl-5">
        <h2 id={id} ref={heading} tabIndex={-1} className="min-w-0 flex-1 rounded font-semibold">
          {t('explain.title')}
        </h2>
        {close}
      </div>
      <section
        aria-labelledby={id}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
        tabIndex={0}
        className="relative min-h-0 flex-1 overflow-y-auto px-5 py-4 -outline-offset-2"
      >
        {story}
      </section>
    </aside>
  );
}

/** Sender, time and start of the message. */
function Subject({ messageUuid }: { messageUuid: string }) {
  const { i18n } = useTranslation();
  const message = useQuery(explanationQuery(messageUuid)).data?.message;
  if (message === undefined) return null;
  return (
    <div className="mb-4 border-l-2 pl-3 text-sm">
      <p className="line-clamp-3 break-words whitespace-pre-wrap">
        {message.direction === 'outbound' ? markdownText(message.text) : message.text}
      </p>
      <p className="mt-0.5 text-xs text-muted-foreground">
        {[message.sender_name, exactTime(message.created_at, i18n.language)].filter(Boolean).join(' · ')}
      </p>
    </div>
  );
}
