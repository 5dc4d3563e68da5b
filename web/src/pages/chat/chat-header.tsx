import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { GuideLink } from '../../components/guides/guide-link.tsx';

interface ChatHeaderProps {
  botName?: string | undefined;
  /** Before the name. */
  start?: ReactNode;
  /** Actions of the conversation. */
  children?: ReactNode;
}

/** The bot's name, and actions of the conversation. */
export function ChatHeader({ botName, start, children }: ChatHeaderProps) {
  const { t } = useTranslation();
  return (
    <header className="flex h-15 shrink-0 items-center gap-2 border-b px-3 sm:px-6">
      {start}
      <h1 className="min-w-0 flex-1 truncate font-semibold tracking-tight">{botName ?? t('chat.title')}</h1>
      <GuideLink />
      {children}
    </header>
  );
}
