import type { FormField } from './form-field.ts';

/** Props of all controls. */
export interface ControlProps {
  id: string;
  field: FormField;
  value: unknown;
  onChange: (value: unknown) => void;
  /** For `aria-describedby` and `aria-invalid`. */
  describedBy: string | undefined;
  isInvalid: boolean;
  /** What is typed and is no value yet. */
  unfinished: string | undefined;
  /** @param text undefined when there is a value again */
  onUnfinished: (text: string | undefined) => void;
}
