import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';
import { Textarea } from '../ui/textarea.tsx';
import { completionsAt, insertVariable, type PromptVariable } from './prompt-variables.ts';

interface PromptTextProps {
  id?: string | undefined;
  label: string;
  /** The first message of a pipeline is most of its work. */
  isLarge: boolean;
  value: string;
  onChange: (value: string) => void;
}

/** A message of a prompt. `{{` offers variables, which the arrow keys and Enter choose. */
export function PromptText({ id, label, isLarge, value, onChange }: PromptTextProps) {
  const { t } = useTranslation();
  const area = useRef<HTMLTextAreaElement>(null);
  const list = useId();
  const [offered, setOffered] = useState<PromptVariable[]>([]);
  const [chosen, setChosen] = useState(0);
  /** Where the caret belongs once an inserted variable is shown. */
  const caret = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (caret.current === null) return;
    area.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });

  const offer = (text: string, position: number) => {
    setOffered(completionsAt(text, position));
    setChosen(0);
  };
  const insert = (name: PromptVariable) => {
    const next = insertVariable(value, area.current?.selectionStart ?? value.length, name);
    caret.current = next.caret;
    area.current?.focus();
    setOffered([]);
    onChange(next.text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const name = offered[chosen];
    if (name === undefined || event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : offered.length - 1;
      setChosen((chosen + step) % offered.length);
    } else if (event.key === 'Enter' || event.key === 'Tab') insert(name);
    else if (event.key === 'Escape') setOffered([]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const isOpen = offered.length > 0;
  return (
    <div className="relative">
      <Textarea
        ref={area}
        id={id}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={isOpen ? list : undefined}
        aria-activedescendant={isOpen ? `${list}-${chosen}` : undefined}
        className={classNames(isLarge && 'max-h-[60dvh] min-h-64')}
        value={value}
        onChange={({ target }) => {
          offer(target.value, target.selectionStart);
          onChange(target.value);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setOffered([])}
      />
      {isOpen && (
        <div
          id={list}
          role="listbox"
          aria-label={t('forms.variables')}
          className="absolute inset-x-2 top-full z-20 mt-1 max-h-72 overflow-y-auto rounded-xl border bg-card p-1 shadow-lg"
        >
          {offered.map((name, index) => (
            <div
              key={name}
              id={`${list}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              className="flex cursor-pointer flex-wrap gap-x-3 rounded-lg px-3 py-1.5 text-sm aria-selected:bg-muted"
              // The input would lose the focus first.
              onMouseDown={(event) => {
                event.preventDefault();
                insert(name);
              }}
            >
              <code>{`{{${name}}}`}</code>
              <span className="text-muted-foreground">{t(`forms.variableTexts.${name}`)}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
