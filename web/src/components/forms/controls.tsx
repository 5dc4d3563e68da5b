import { Eye, EyeOff } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { localized } from '../../lib/i18n.ts';
import { useSecretTexts } from '../../lib/secret-texts.ts';
import { Button } from '../ui/button.tsx';
import { Input } from '../ui/input.tsx';
import { Select } from '../ui/select.tsx';
import { Switch } from '../ui/switch.tsx';
import { Textarea } from '../ui/textarea.tsx';
import type { ControlProps } from './control-props.ts';

/** Controls that pages also use directly. */
type FieldlessProps = Omit<ControlProps, 'field' | 'unfinished' | 'onUnfinished'>;

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

/** A number input. What is no number yet is not passed on, and marked once the field is left. */
export function NumberControl(props: ControlProps) {
  const { t } = useTranslation();
  const { field, value, onChange, unfinished, onUnfinished } = props;
  const [typed, setTyped] = useState(textOf(value));
  const [isTyping, setTyping] = useState(false);
  const isAsTyped = typed.trim() !== '' && Number(typed) === value;
  const enter = (text: string, number: unknown) => {
    setTyped(text);
    onUnfinished(undefined);
    onChange(number);
  };
  return (
    <Unfinished text={unfinished} isMarked={!isTyping} note={t('common.invalidNumber')} {...props}>
      {(marks) => (
        <Input
          {...marks}
          className="max-w-48"
          inputMode={field.type === 'integer' ? 'numeric' : 'decimal'}
          value={unfinished ?? (isAsTyped ? typed : textOf(value))}
          onBlur={() => {
            setTyping(false);
            if (unfinished === undefined) setTyped(textOf(value));
            // `1.`
            else if (isNumber(unfinished)) enter(textOf(Number(unfinished)), Number(unfinished));
          }}
          onChange={({ target: { value: text } }) => {
            setTyping(true);
            if (isNumber(text) && !text.trim().endsWith('.')) enter(text, Number(text));
            else if (text.trim() === '' && textOf(field.default) === '') enter(text, field.default);
            else onUnfinished(text);
          }}
        />
      )}
    </Unfinished>
  );
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}

interface UnfinishedProps extends FieldlessProps {
  text: string | undefined;
  isMarked?: boolean;
  /** What is wrong with the text. */
  note: string;
  children: (marks: ReturnType<typeof accessible>) => ReactNode;
}

/** A control, and what is wrong with its text while that is no value. */
function Unfinished({ text, isMarked = true, note, children, ...props }: UnfinishedProps) {
  const id = useId();
  const isShown = text !== undefined && isMarked;
  const describedBy = [id, props.describedBy].filter(Boolean).join(' ');
  return (
    <>
      {children(accessible(isShown ? { ...props, isInvalid: true, describedBy } : props))}
      {isShown && (
        <p id={id} className="text-sm text-destructive">
          {note}
        </p>
      )}
    </>
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
export function JsonControl(props: ControlProps) {
  const { t } = useTranslation();
  const { value, onChange, unfinished, onUnfinished } = props;
  const isText = typeof value === 'string';
  const stored = typeof value === 'string' ? value : JSON.stringify(value ?? {}, null, 2);
  const [typed, setTyped] = useState(stored);
  return (
    <Unfinished text={unfinished} note={t('common.invalidJson')} {...props}>
      {(marks) => (
        <Textarea
          {...marks}
          className="font-mono text-sm"
          spellCheck={false}
          value={unfinished ?? (sameJson(typed, stored) ? typed : stored)}
          onChange={({ target: { value: text } }) => {
            let parsed: unknown;
            try {
              parsed = JSON.parse(text);
            } catch {
              onUnfinished(text);
              return;
            }
            setTyped(text);
            onUnfinished(undefined);
            onChange(isText ? text : parsed);
          }}
        />
      )}
    </Unfinished>
  );
}

function sameJson(left: string, right: string): boolean {
  if (left === right) return true;
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
  useSecretTexts([textOf(props.value)]);
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
