import type { ParleyApiErrorDetail } from '@parley/client';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isAt } from '../../lib/field-path.ts';
import { type TypedTexts, unfinished } from '../../lib/typed-texts.ts';
import { type FormField, type FormValue, isShown, withDefaults } from './form-field.ts';
import { SchemaField } from './schema-field.tsx';

interface SchemaFormProps {
  /** As returned by the server. */
  fields: readonly FormField[];
  value: FormValue;
  onChange: (value: FormValue) => void;
  /** What is typed in its fields and is no value yet. */
  typed: TypedTexts;
  /** Errors of the server, with paths below `path`. */
  faults?: readonly ParleyApiErrorDetail[];
  /** Path of the value in the request body: `adapter_config`. */
  path?: string;
  /** Whether advanced fields are folded. Default: true. */
  foldsAdvanced?: boolean;
}

/** A form generated from a schema of the server. Irrelevant fields are hidden. */
export function SchemaForm({
  fields,
  value,
  onChange,
  typed: { texts, setText },
  faults = [],
  path = '',
  foldsAdvanced = true,
}: SchemaFormProps) {
  const { t } = useTranslation();
  const shown = withDefaults(fields, value);
  const relevant = fields.filter((field) => isShown(field, shown));
  // Controls say themselves which text is unfinished.
  const faultOf = ({ name }: FormField) =>
    faults.find(({ path: place, rule }) => rule !== unfinished && isAt(place, placeOf(name)));
  const placeOf = (name: string) => (path === '' ? name : `${path}.${name}`);
  const folded = foldsAdvanced ? relevant.filter(({ advanced }) => advanced) : [];
  const controlOf = (field: FormField) => {
    const fault = faultOf(field);
    return (
      // Lets a page scroll the field into view.
      <div key={field.name} data-field={placeOf(field.name)}>
        <SchemaField
          field={field}
          value={shown[field.name]}
          error={fault === undefined ? undefined : fault.message || t('common.invalid')}
          onChange={(next) => onChange({ ...value, [field.name]: next })}
          unfinished={texts[placeOf(field.name)]}
          onUnfinished={(text) => setText(placeOf(field.name), text)}
        />
      </div>
    );
  };
  return (
    <div className="space-y-5">
      {relevant.filter((field) => !folded.includes(field)).map(controlOf)}
      {folded.length > 0 && (
        <Folded
          isNeeded={folded.some((field) => faultOf(field) !== undefined || texts[placeOf(field.name)] !== undefined)}
          isChanged={folded.some((field) => isChanged(field, shown[field.name]))}
        >
          {folded.map(controlOf)}
        </Folded>
      )}
    </div>
  );
}

function isChanged({ default: initial }: FormField, value: unknown): boolean {
  const isEmpty = value === undefined || value === null || value === '';
  return isEmpty ? Boolean(initial) : JSON.stringify(value) !== JSON.stringify(initial);
}

interface FoldedProps {
  isNeeded: boolean;
  isChanged: boolean;
  children: ReactNode;
}

/** Fields that few need, unfolded while one of them has an error, and once one of them is not as usual. */
function Folded({ isNeeded, isChanged, children }: FoldedProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(isChanged);
  const [wasChanged, setWasChanged] = useState(isChanged);
  if (isChanged !== wasChanged) {
    setWasChanged(isChanged);
    if (isChanged) setOpen(true);
  }
  if (isNeeded && !isOpen) setOpen(true);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="min-h-8 w-fit cursor-pointer rounded text-sm font-medium text-muted-foreground">
        {t('forms.advanced')}
      </summary>
      <div className="mt-3 space-y-5">{children}</div>
    </details>
  );
}
