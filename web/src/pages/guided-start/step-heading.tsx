import type { ReactNode } from 'react';

/** The heading of a step. Receives the focus when the step starts. */
export function StepHeading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="mb-6">
      <h2 tabIndex={-1} className="text-lg font-semibold outline-none">
        {title}
      </h2>
      {children && <p className="mt-1 max-w-2xl text-pretty text-muted-foreground">{children}</p>}
    </div>
  );
}
