import { cva, type VariantProps } from 'class-variance-authority';
import type { ReactNode } from 'react';

const variants = cva(
  'inline-flex items-center gap-1.5 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap',
  {
    variants: {
      tone: {
        neutral: 'bg-muted text-muted-foreground',
        good: 'bg-good-soft text-good',
        busy: 'bg-bubble text-foreground',
        warning: 'bg-notice-soft text-notice',
        bad: 'bg-destructive-soft text-destructive',
      },
    },
    defaultVariants: { tone: 'neutral' },
  },
);

/** The state of something. The text contains all information, the colour only helps. */
export function Badge({ tone, children }: VariantProps<typeof variants> & { children: ReactNode }) {
  return <span className={variants({ tone })}>{children}</span>;
}
