import { ArrowDown, ArrowUp, Eye, Plus, Trash2 } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { estimateTokenCount } from 'tokenx';
import { localized } from '../../lib/i18n.ts';
import { number } from '../../lib/number-text.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/select.tsx';
import type { ControlProps } from './control-props.ts';
import { PromptText } from './prompt-text.tsx';
import { type PromptVariable, previewOf } from './prompt-variables.ts';

interface PromptMessage {
  role: string;
  content: string;
}

const roles = ['system', 'user', 'assistant'] as const;

/** Values for the preview, as a message of now would have them. */
function useExamples(): Record<PromptVariable, string> {
  const { t } = useTranslation();
  const now = new Date();
  const inDigits = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('sv-SE', options).format(now);
  return {
    user: t('forms.variableExamples.user'),
    group: t('forms.variableExamples.group'),
    platform: 'Telegram',
    date: inDigits({ dateStyle: 'short' }),
    time: inDigits({ timeStyle: 'short' }),
    knowledge: t('forms.variableExamples.knowledge'),
  };
}

/** Messages at the start of every conversation, in order. */
export function PromptControl({ id, value, onChange, field, describedBy }: ControlProps) {
  const { t } = useTranslation();
  const messages = (Array.isArray(value) ? value : []) as PromptMessage[];
  const change = (index: number, part: Partial<PromptMessage>) =>
    onChange(messages.map((message, at) => (at === index ? { ...message, ...part } : message)));
  const move = (index: number, to: number) => {
    const next = [...messages];
    const [moved] = next.splice(index, 1);
    if (moved !== undefined) next.splice(to, 0, moved);
    onChange(next);
  };
  const label = localized(field.label);
  const [isPreview, setPreview] = useState(false);
  const examples = useExamples();
  return (
    <div className="space-y-3" aria-describedby={describedBy}>
      {messages.map((message, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages have no other identity than their place
        <div key={index} className="rounded-xl border p-3">
          <div className="mb-2 flex items-center gap-1">
            <Select
              className="w-40"
              aria-label={`${label} ${index + 1}`}
              value={message.role}
              onChange={(event) => change(index, { role: event.target.value })}
            >
              {roles.map((role) => (
                <option key={role} value={role}>
                  {t(`forms.roles.${role}`)}
                </option>
              ))}
            </Select>
            <span className="flex-1" />
            <Button
              variant="ghost"
              size="icon"
              disabled={index === 0}
              aria-label={t('common.moveUp')}
              onClick={() => move(index, index - 1)}
            >
              <ArrowUp />
            </Button>
            <Button
              variant="ghost"
              size="icon"
              disabled={index === messages.length - 1}
              aria-label={t('common.moveDown')}
              onClick={() => move(index, index + 1)}
            >
              <ArrowDown />
            </Button>
            <Button
              variant="ghost"
              size="icon"
              aria-label={t('common.remove')}
              onClick={() => onChange(messages.filter((_, at) => at !== index))}
            >
              <Trash2 />
            </Button>
          </div>
          {isPreview ? (
            <p className="min-h-22 rounded-xl bg-muted px-3.5 py-2.5 break-words whitespace-pre-wrap">
              {previewOf(message.content, examples)}
            </p>
          ) : (
            <PromptText
              id={index === 0 ? id : undefined}
              label={`${label} ${index + 1}`}
              isLarge={index === 0}
              value={message.content}
              onChange={(content) => change(index, { content })}
            />
          )}
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          variant="outline"
          size="small"
          onClick={() => onChange([...messages, { role: messages.length === 0 ? 'system' : 'user', content: '' }])}
        >
          <Plus aria-hidden />
          {t('forms.addMessage')}
        </Button>
        {messages.length > 0 && (
          <>
            <Button variant="ghost" size="small" aria-pressed={isPreview} onClick={() => setPreview(!isPreview)}>
              <Eye aria-hidden />
              {t('forms.preview')}
            </Button>
            <TokenCount messages={messages} />
          </>
        )}
      </div>
      <p className="text-sm text-pretty text-muted-foreground">
        {t(isPreview ? 'forms.previewText' : 'forms.variablesText')}
      </p>
    </div>
  );
}

/** Estimated as the server does for the history: providers count differently, which is only known after a call. */
function TokenCount({ messages }: { messages: readonly PromptMessage[] }) {
  const { t, i18n } = useTranslation();
  const text = useDeferredValue(messages.map(({ content }) => content).join('\n'));
  const count = useMemo(() => estimateTokenCount(text), [text]);
  return (
    <span className="ml-auto text-sm text-muted-foreground">
      {t('forms.tokens', { count, number: number(count, i18n.language) })}
    </span>
  );
}
