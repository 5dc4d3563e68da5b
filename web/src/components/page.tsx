import type { ReactNode } from 'react';
import { classNames } from '../lib/class-names.ts';
import { useTitle } from '../lib/use-title.ts';
import { GuideLink } from './guides/guide-link.tsx';
import { InlineCode } from './inline-code.tsx';

interface PageProps {
  title: string;
  /** One sentence on the purpose of the page. */
  introduction?: string;
  /** Above the title: a link back to a list. */
  back?: ReactNode;
  /** Next to the title: actions. */
  actions?: ReactNode;
  /** `wide` uses the full width. */
  width?: 'normal' | 'wide';
  children: ReactNode;
}

/** A page of the console: title, link to the guide that its route names, actions and content. */
export function Page({ title, introduction, back, actions, width = 'normal', children }: PageProps) {
  useTitle(title);
  return (
    <div className={classNames('mx-auto w-full px-4 py-6 sm:px-6 lg:px-8 lg:py-8', width === 'normal' && 'max-w-6xl')}>
      {back && <div className="mb-2 text-sm">{back}</div>}
      <header className="mb-6 flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-60">
          <div className="flex flex-wrap items-baseline gap-x-4">
            <h1 className="min-w-0 text-xl font-semibold tracking-tight break-words sm:text-2xl">{title}</h1>
            <GuideLink />
          </div>
          {introduction && <p className="mt-1 max-w-2xl text-pretty text-muted-foreground">{introduction}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A section with a heading. */
export function Section({
  title,
  text,
  actions,
  children,
}: {
  title: string;
  text?: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="mt-8 first:mt-0">
      <div className="mb-3 flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h2 className="font-semibold">{title}</h2>
          {text && (
            <p className="mt-0.5 max-w-2xl text-sm text-pretty text-muted-foreground">
              <InlineCode text={text} />
            </p>
          )}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}
