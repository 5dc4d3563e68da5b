import type { ParleyApiErrorDetail } from '@parley/client';
import { useTranslation } from 'react-i18next';
import { type FormField, type FormValue, isAt, isShown } from './form-field.ts';
import { SchemaField } from './schema-field.tsx';

interface SchemaFormProps {
  /** As the server describes them. */
  fields: readonly FormField[];
  value: FormValue;
  onChange: (value: FormValue) => void;
  /** What the server said is wrong, by paths that begin with `path`. */
  faults?: readonly ParleyApiErrorDetail[];
  /** Where the value stands in the body that is sent: `adapter_config`. */
  path?: string;
}

/** A form drawn from a schema of the server. Fields that do not matter with the present values are left out. */
export function SchemaForm({ fields, value, onChange, faults = [], path = '' }: SchemaFormProps) {
  const { t } = useTranslation();
  return (
    <div className="space-y-5">
      {fields
        .filter((field) => isShown(field, value))
        .map((field) => {
          const place = path === '' ? field.name : `${path}.${field.name}`;
          const fault = faults.find((one) => isAt(one.path, place));
          return (
            // The place is how a page finds the field to bring it into view.
            <div key={field.name} data-field={place}>
              <SchemaField
                field={field}
                value={value[field.name] ?? field.default}
                error={fault === undefined ? undefined : fault.message || t('common.invalid')}
                onChange={(next) => onChange({ ...value, [field.name]: next })}
              />
            </div>
          );
        })}
    </div>
  );
}
