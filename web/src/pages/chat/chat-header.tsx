import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Logo } from '../../components/logo.tsx';
import { SettingsMenu } from '../../components/settings-menu.tsx';
import { api } from '../../lib/api.ts';
import { session } from '../../lib/session.ts';

interface ChatHeaderProps {
  botName?: string | undefined;
  /** What can be done with the conversation. */
  children?: ReactNode;
}

/** The name of the product, with whom one talks, and the menu. */
export function ChatHeader({ botName, children }: ChatHeaderProps) {
  const account = useQuery({ queryKey: ['account'], queryFn: () => api.get('/api/v1/user/info') });

  const signOut = async () => {
    // The person wants to leave; a server that cannot be told must not keep them.
    await api.post('/api/v1/user/sign-out').catch(() => undefined);
    session.end();
  };

  return (
    <header className="flex h-15 shrink-0 items-center gap-1 border-b px-3 sm:px-5">
      <h1 className="flex min-w-0 flex-1 items-center gap-2.5">
        <Logo className="size-8 shrink-0" />
        <span className="font-semibold tracking-tight">Parley</span>
        {botName && <span className="truncate border-l pl-2.5 text-sm text-muted-foreground">{botName}</span>}
      </h1>
      {children}
      <SettingsMenu user={account.data?.user} onSignOut={signOut} />
    </header>
  );
}
