import type { ParleyApiErrorDetail } from '@parley/client';
import type { FormValue } from '../../components/forms/form-field.ts';
import { SchemaForm } from '../../components/forms/schema-form.tsx';
import { InlineCode } from '../../components/inline-code.tsx';
import { localized } from '../../lib/i18n.ts';
import { useSecretText } from '../../lib/secret-texts.ts';
import type { ToolField } from './tool-form.ts';

interface ParameterFieldsProps {
  fields: readonly ToolField[];
  value: FormValue;
  faults: readonly ParleyApiErrorDetail[];
  /** Path of the value in the request body: `parameters.place`. */
  path: string;
  onChange: (value: FormValue) => void;
}

/** The parameters of a tool; nested objects are groups of fields. */
export function ParameterFields({ fields, value, faults, path, onChange }: ParameterFieldsProps) {
  return (
    <div className="space-y-5">
      {fields.map(({ field, fields: nested }) =>
        nested === undefined ? (
          <SchemaForm
            key={field.name}
            fields={[field]}
            value={value}
            faults={faults}
            path={path}
            foldsAdvanced={false}
            onChange={onChange}
          />
        ) : (
          <fieldset key={field.name} className="space-y-3 border-l-2 pl-4">
            <legend className="text-sm font-medium">{field.name}</legend>
            {field.description !== undefined && (
              <p className="text-sm text-pretty text-muted-foreground">
                <InlineCode text={localized(field.description)} />
              </p>
            )}
            <ParameterFields
              fields={nested}
              value={objectAt(value, field.name)}
              faults={faults}
              path={`${path}.${field.name}`}
              onChange={(next) => onChange({ ...value, [field.name]: next })}
            />
          </fieldset>
        ),
      )}
    </div>
  );
}

/** Names the secrets in parameters that are edited as JSON, so that they are not kept in the browser. Renders nothing. */
export function SecretParameters({ fields, value }: Pick<ParameterFieldsProps, 'fields' | 'value'>) {
  return fields.map(({ field, fields: nested }) =>
    nested === undefined ? (
      field.secret && <SecretParameter key={field.name} value={value[field.name]} />
    ) : (
      <SecretParameters key={field.name} fields={nested} value={objectAt(value, field.name)} />
    ),
  );
}

function SecretParameter({ value }: { value: unknown }) {
  useSecretText(typeof value === 'string' ? value : '');
  return null;
}

function objectAt(value: FormValue, name: string): FormValue {
  const inner = value[name];
  return typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? (inner as FormValue) : {};
}
