import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { InlineCode } from '../inline-code.tsx';
import { Label } from '../ui/label.tsx';

interface FieldShellProps {
  id: string;
  label: string;
  help?: string | undefined;
  /** The error of the value; shown above the help. */
  error?: string | undefined;
  isOptional?: boolean;
  /** Places the label next to the control, not above it. */
  inline?: boolean;
  children: ReactNode;
}

/** A control with its label, help and error. The control has `id`, and `aria-describedby` of {@link describedBy}. */
export function FieldShell({ id, label, help, error, isOptional = false, inline = false, children }: FieldShellProps) {
  const { t } = useTranslation();
  const heading = (
    <Label htmlFor={id}>
      {label}
      {isOptional && <span className="ml-1.5 font-normal text-muted-foreground">({t('common.optional')})</span>}
    </Label>
  );
  return (
    <div className="space-y-1.5">
      {inline ? (
        <div className="flex items-center gap-3">
          {children}
          {heading}
        </div>
      ) : (
        <>
          {heading}
          {children}
        </>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="text-sm text-destructive">
          {error}
        </p>
      )}
      {help !== undefined && (
        <p id={`${id}-help`} className="text-sm text-pretty text-muted-foreground">
          <InlineCode text={help} />
        </p>
      )}
    </div>
  );
}

/** The ids that describe the control of a field. */
export function describedBy(id: string, { help, error }: Pick<FieldShellProps, 'help' | 'error'>): string | undefined {
  const ids = [error !== undefined && `${id}-error`, help !== undefined && `${id}-help`].filter(Boolean);
  return ids.length === 0 ? undefined : ids.join(' ');
}
