import type { ReactNode } from 'react';
import { useTitle } from '../lib/use-title.ts';
import { Logo } from './logo.tsx';
import { SettingsMenu } from './settings-menu.tsx';
import { Card } from './ui/card.tsx';

interface FullPageProps {
  title: string;
  introduction?: string;
  children: ReactNode;
}

/** A centred page with a single purpose: set-up, sign-in and the like. */
export function FullPage({ title, introduction, children }: FullPageProps) {
  useTitle(title);
  return (
    <div className="flex min-h-dvh flex-col bg-[radial-gradient(60rem_30rem_at_50%_-8rem,var(--bubble),transparent)]">
      <header className="flex justify-end p-3 sm:px-5">
        <SettingsMenu />
      </header>
      <main className="mx-auto flex w-full max-w-[27rem] flex-1 flex-col justify-center px-4 pb-[12vh]">
        <div className="mb-7 text-center">
          <Logo className="mx-auto mb-5 size-13 drop-shadow-md" />
          <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
          {introduction && <p className="mx-auto mt-2 max-w-sm text-pretty text-muted-foreground">{introduction}</p>}
        </div>
        <Card className="motion-safe:animate-appear">{children}</Card>
      </main>
    </div>
  );
}
