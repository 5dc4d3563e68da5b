import type { ParleyApiErrorDetail } from '@parley/client';
import { useTranslation } from 'react-i18next';
import { type FormField, type FormValue, isAt, isShown, withDefaults } from './form-field.ts';
import { SchemaField } from './schema-field.tsx';

interface SchemaFormProps {
  /** As returned by the server. */
  fields: readonly FormField[];
  value: FormValue;
  onChange: (value: FormValue) => void;
  /** Errors of the server, with paths below `path`. */
  faults?: readonly ParleyApiErrorDetail[];
  /** Path of the value in the request body: `adapter_config`. */
  path?: string;
}

/** A form generated from a schema of the server. Irrelevant fields are hidden. */
export function SchemaForm({ fields, value, onChange, faults = [], path = '' }: SchemaFormProps) {
  const { t } = useTranslation();
  const shown = withDefaults(fields, value);
  return (
    <div className="space-y-5">
      {fields
        .filter((field) => isShown(field, shown))
        .map((field) => {
          const place = path === '' ? field.name : `${path}.${field.name}`;
          const fault = faults.find((one) => isAt(one.path, place));
          return (
            // Lets a page scroll the field into view.
            <div key={field.name} data-field={place}>
              <SchemaField
                field={field}
                value={shown[field.name]}
                error={fault === undefined ? undefined : fault.message || t('common.invalid')}
                onChange={(next) => onChange({ ...value, [field.name]: next })}
              />
            </div>
          );
        })}
    </div>
  );
}
