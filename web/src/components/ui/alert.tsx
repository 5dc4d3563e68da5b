import { cva, type VariantProps } from 'class-variance-authority';
import { CircleAlert, Info, X } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from '../../lib/class-names.ts';

const variants = cva('flex items-start gap-2.5 rounded-xl px-3.5 py-3 text-sm leading-relaxed', {
  variants: {
    variant: {
      error: 'bg-destructive-soft text-destructive',
      notice: 'bg-notice-soft text-notice',
    },
  },
  defaultVariants: { variant: 'error' },
});

interface AlertProps extends ComponentProps<'div'>, VariantProps<typeof variants> {
  /** Adds a button that closes it. */
  dismiss?: { label: string; onDismiss: () => void };
}

/** A message about an event; errors are announced immediately, notices politely. */
export function Alert({ className, variant, dismiss, children, ...properties }: AlertProps) {
  const Icon = variant === 'notice' ? Info : CircleAlert;
  return (
    <div
      role={variant === 'notice' ? 'status' : 'alert'}
      className={classNames(variants({ variant }), className)}
      {...properties}
    >
      <Icon aria-hidden className="mt-0.5 size-4.5 shrink-0" />
      <div className="min-w-0 flex-1">{children}</div>
      {dismiss && (
        <button
          type="button"
          aria-label={dismiss.label}
          title={dismiss.label}
          onClick={dismiss.onDismiss}
          className="-m-1 rounded-lg p-1 hover:opacity-70"
        >
          <X aria-hidden className="size-4.5" />
        </button>
      )}
    </div>
  );
}
