import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyProps {
  icon: LucideIcon;
  title: string;
  text: string;
  /** The next action. */
  children?: ReactNode;
}

/** Empty state of a list: its purpose, and how to start. */
export function Empty({ icon: Icon, title, text, children }: EmptyProps) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center px-4 py-16 text-center">
      <div className="mb-4 rounded-2xl bg-muted p-3.5 text-muted-foreground">
        <Icon aria-hidden className="size-7" />
      </div>
      <h2 className="font-medium">{title}</h2>
      <p className="mt-1 text-pretty text-muted-foreground">{text}</p>
      {children && <div className="mt-5 flex flex-wrap justify-center gap-2">{children}</div>}
    </div>
  );
}
