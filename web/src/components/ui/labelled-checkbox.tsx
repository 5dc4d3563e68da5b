import { type ReactNode, useId } from 'react';

interface LabelledCheckboxProps {
  checked: boolean;
  disabled?: boolean;
  /** Below the label. */
  help?: string;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

/** A checkbox with its label, and what it means. */
export function LabelledCheckbox({ checked, disabled = false, help, onChange, children }: LabelledCheckboxProps) {
  const id = useId();
  return (
    <div>
      <label className="flex w-fit items-center gap-2.5">
        <input
          type="checkbox"
          className="size-4.5 shrink-0 accent-primary"
          aria-describedby={help === undefined ? undefined : id}
          checked={checked}
          disabled={disabled}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span className="min-w-0 break-words">{children}</span>
      </label>
      {help !== undefined && (
        <p id={id} className="mt-0.5 ml-7 text-sm text-pretty text-muted-foreground">
          {help}
        </p>
      )}
    </div>
  );
}
