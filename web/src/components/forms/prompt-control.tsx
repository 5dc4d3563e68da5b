import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { localized } from '../../lib/i18n.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/select.tsx';
import { Textarea } from '../ui/textarea.tsx';
import type { ControlProps } from './control-props.ts';

interface PromptMessage {
  role: string;
  content: string;
}

const roles = ['system', 'user', 'assistant'] as const;

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
          <Textarea
            id={index === 0 ? id : undefined}
            aria-label={`${label} ${index + 1}`}
            value={message.content}
            onChange={(event) => change(index, { content: event.target.value })}
          />
        </div>
      ))}
      <Button
        variant="outline"
        size="small"
        onClick={() => onChange([...messages, { role: messages.length === 0 ? 'system' : 'user', content: '' }])}
      >
        <Plus aria-hidden />
        {t('forms.addMessage')}
      </Button>
    </div>
  );
}
