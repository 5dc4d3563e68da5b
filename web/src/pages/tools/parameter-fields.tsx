import type { ParleyApiErrorDetail } from '@parley/client';
import type { FormValue } from '../../components/forms/form-field.ts';
import { SchemaForm } from '../../components/forms/schema-form.tsx';
import { InlineCode } from '../../components/inline-code.tsx';
import { localized } from '../../lib/i18n.ts';
import { useSecretTexts } from '../../lib/secret-texts.ts';
import type { TypedTexts } from '../../lib/typed-texts.ts';
import type { ToolField } from './tool-form.ts';

interface ParameterFieldsProps {
  fields: readonly ToolField[];
  value: FormValue;
  faults: readonly ParleyApiErrorDetail[];
  /** Path of the value in the request body: `parameters.place`. */
  path: string;
  onChange: (value: FormValue) => void;
  typed: TypedTexts;
}

/** The parameters of a tool; nested objects are groups of fields. */
export function ParameterFields({ fields, value, faults, path, onChange, typed }: ParameterFieldsProps) {
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
            typed={typed}
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
              typed={typed}
              onChange={(next) => onChange({ ...value, [field.name]: next })}
            />
          </fieldset>
        ),
      )}
    </div>
  );
}

/** Names the secrets in parameters, so that they are not kept in the browser. Renders nothing. */
export function SecretParameters({
  fields,
  value,
  path,
  typed,
}: Pick<ParameterFieldsProps, 'fields' | 'value' | 'path' | 'typed'>) {
  return fields.map(({ field: { name, secret }, fields: nested, hasSecrets }) => {
    const place = `${path}.${name}`;
    if (nested !== undefined) {
      return <SecretParameters key={name} fields={nested} value={objectAt(value, name)} path={place} typed={typed} />;
    }
    if (secret) return <SecretTexts key={name} value={value[name]} />;
    return hasSecrets && <SecretTexts key={name} value={[typed.texts[place], value[name]]} />;
  });
}

/** Names the texts in a value as secret. Renders nothing. */
export function SecretTexts({ value }: { value: unknown }) {
  useSecretTexts(textsIn(value));
  return null;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function objectAt(value: FormValue, name: string): FormValue {
  const inner = value[name];
  return typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? (inner as FormValue) : {};
}
