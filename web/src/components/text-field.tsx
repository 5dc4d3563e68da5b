import { type ComponentProps, useId } from 'react';
import { Input } from './ui/input.tsx';
import { Label } from './ui/label.tsx';

interface TextFieldProps extends Omit<ComponentProps<typeof Input>, 'id'> {
  label: string;
  help?: string | undefined;
  /** The error of the value; replaces the help. */
  error?: string | undefined;
  /** Shown at the right end of the field. */
  end?: React.ReactNode;
}

/** A labelled text input with help or error below. */
export function TextField({ label, help, error, end, ...properties }: TextFieldProps) {
  const id = useId();
  const note = error ?? help;
  return (
    <div className="space-y-2">
      <Label htmlFor={id}>{label}</Label>
      <div className="relative">
        <Input
          id={id}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={note === undefined ? undefined : `${id}-note`}
          {...properties}
        />
        {end}
      </div>
      {note !== undefined && (
        <p
          id={`${id}-note`}
          className={error === undefined ? 'text-sm text-muted-foreground' : 'text-sm text-destructive'}
        >
          {note}
        </p>
      )}
    </div>
  );
}
