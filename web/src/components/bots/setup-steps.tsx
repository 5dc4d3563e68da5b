import { lazy, Suspense } from 'react';
import { localized } from '../../lib/i18n.ts';
import type { Adapter } from './bot-queries.ts';

const Markdown = lazy(async () => ({ default: (await import('../markdown.tsx')).Markdown }));

/** What to do on the platform before its configuration can be filled in. Renders nothing where that is nothing. */
export function SetupSteps({ adapter }: { adapter: Adapter }) {
  const steps = adapter.spec.setup_steps;
  if (steps.length === 0) return null;
  return (
    <ol className="list-decimal space-y-1.5 pl-5 text-sm marker:text-muted-foreground">
      {steps.map((step) => (
        <li key={step.en_US} className="pl-1">
          <Suspense fallback={localized(step)}>
            <Markdown text={localized(step)} />
          </Suspense>
        </li>
      ))}
    </ol>
  );
}
