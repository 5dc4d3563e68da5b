import { Eye, EyeOff } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { localized } from '../../lib/i18n.ts';
import { useSecretText } from '../../lib/secret-texts.ts';
import { Button } from '../ui/button.tsx';
import { Input } from '../ui/input.tsx';
import { Select } from '../ui/select.tsx';
import { Switch } from '../ui/switch.tsx';
import { Textarea } from '../ui/textarea.tsx';
import type { ControlProps } from './control-props.ts';

/** Controls that pages also use directly. */
type FieldlessProps = Omit<ControlProps, 'field'> & Partial<Pick<ControlProps, 'field'>>;

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}

const accessible = ({ id, describedBy, isInvalid }: FieldlessProps) => ({
  id,
  'aria-describedby': describedBy,
  'aria-invalid': isInvalid || undefined,
});

/** A text input, with suggestions of the server. */
export function TextControl(props: ControlProps) {
  const list = useId();
  const { options } = props.field;
  return (
    <>
      <Input
        {...accessible(props)}
        value={textOf(props.value)}
        list={options === undefined ? undefined : list}
        onChange={(event) => props.onChange(event.target.value)}
      />
      {options !== undefined && (
        <datalist id={list}>
          {options.map(({ name, label }) => (
            <option key={name} value={name}>
              {localized(label)}
            </option>
          ))}
        </datalist>
      )}
    </>
  );
}

/** A multi-line text input. */
export function TextAreaControl(props: ControlProps) {
  return (
    <Textarea
      {...accessible(props)}
      value={textOf(props.value)}
      onChange={(event) => props.onChange(event.target.value)}
    />
  );
}

/** A number input. Incomplete input stays in the field and is not passed on. */
export function NumberControl(props: ControlProps) {
  const { value, onChange } = props;
  const [typed, setTyped] = useState(textOf(value));
  useEffect(() => {
    setTyped((current) => (Number(current) === value && current.trim() !== '' ? current : textOf(value)));
  }, [value]);
  return (
    <Input
      {...accessible(props)}
      className="max-w-48"
      inputMode={props.field.type === 'integer' ? 'numeric' : 'decimal'}
      value={typed}
      onBlur={() => setTyped(textOf(value))}
      onChange={(event) => {
        setTyped(event.target.value);
        const number = Number(event.target.value);
        if (event.target.value.trim() !== '' && Number.isFinite(number)) onChange(number);
      }}
    />
  );
}

/** A switch. */
export function FlagControl(props: ControlProps) {
  return (
    <Switch
      {...accessible(props)}
      checked={props.value === true}
      onChange={(event) => props.onChange(event.target.checked)}
    />
  );
}

/** A select. A stored value that is no longer available stays until another is selected. */
export function ChoiceControl(props: ControlProps) {
  const { t } = useTranslation();
  const { options = [] } = props.field;
  const value = textOf(props.value);
  const isKnown = options.some(({ name }) => name === value);
  return (
    <Select
      {...accessible(props)}
      className="max-w-md"
      value={value}
      onChange={(event) => props.onChange(event.target.value)}
    >
      {!isKnown && <option value={value}>{value === '' ? t('common.choose') : value}</option>}
      {options.map(({ name, label }) => (
        <option key={name} value={name}>
          {localized(label)}
        </option>
      ))}
    </Select>
  );
}

/** A list of texts, one per line. */
export function LinesControl(props: FieldlessProps) {
  const lines = Array.isArray(props.value) ? props.value.map(textOf) : [];
  const [typed, setTyped] = useState(lines.join('\n'));
  const stored = lines.join('\n');
  useEffect(() => {
    setTyped((current) => (linesOf(current).join('\n') === stored ? current : stored));
  }, [stored]);
  return (
    <Textarea
      {...accessible(props)}
      value={typed}
      onChange={(event) => {
        setTyped(event.target.value);
        props.onChange(linesOf(event.target.value));
      }}
    />
  );
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** JSON, or a string that contains JSON. Invalid input is marked and not passed on. */
export function JsonControl(props: FieldlessProps) {
  const { t } = useTranslation();
  const isText = typeof props.value === 'string';
  const stored = typeof props.value === 'string' ? props.value : JSON.stringify(props.value ?? {}, null, 2);
  const [typed, setTyped] = useState(stored);
  const [isBroken, setBroken] = useState(false);
  const note = useId();
  useEffect(() => {
    setTyped((current) => (sameJson(current, stored) ? current : stored));
    setBroken(false);
  }, [stored]);
  return (
    <>
      <Textarea
        {...accessible(props)}
        // Forms that check their validity are not sent without what was typed.
        ref={(field) => field?.setCustomValidity(isBroken ? t('common.invalidJson') : '')}
        {...(isBroken ? { 'aria-invalid': true, 'aria-describedby': note } : {})}
        className="font-mono text-sm"
        spellCheck={false}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          try {
            const parsed: unknown = JSON.parse(event.target.value);
            setBroken(false);
            props.onChange(isText ? event.target.value : parsed);
          } catch {
            setBroken(true);
          }
        }}
      />
      {isBroken && (
        <p id={note} className="text-sm text-destructive">
          {t('common.invalidJson')}
        </p>
      )}
    </>
  );
}

function sameJson(left: string, right: string): boolean {
  try {
    return JSON.stringify(JSON.parse(left)) === JSON.stringify(JSON.parse(right));
  } catch {
    return false;
  }
}

/** A secret: the stored value is masked and unchanged unless a new one is typed. */
export function SecretControl(props: FieldlessProps) {
  const { t } = useTranslation();
  const [isVisible, setVisible] = useState(false);
  useSecretText(textOf(props.value));
  const label = t(isVisible ? 'common.hide' : 'common.show');
  return (
    <div className="relative">
      <Input
        {...accessible(props)}
        className="pr-12 font-mono text-sm"
        type={isVisible ? 'text' : 'password'}
        autoComplete="off"
        spellCheck={false}
        value={textOf(props.value)}
        // Typing replaces the mask.
        onFocus={(event) => event.target.select()}
        onChange={(event) => props.onChange(event.target.value)}
      />
      <Button
        variant="ghost"
        size="icon"
        className="absolute top-0.5 right-0.5"
        aria-label={label}
        title={label}
        onClick={() => setVisible(!isVisible)}
      >
        {isVisible ? <EyeOff /> : <Eye />}
      </Button>
    </div>
  );
}
