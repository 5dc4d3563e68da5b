import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/ui/button.tsx';
import { useKeptInput } from '../../lib/kept-drafts.ts';

interface QuestionEditorProps {
  /** Under which the changed text is kept over reloads. */
  name: string;
  text: string;
  onSend: (text: string) => void;
  onCancel: () => void;
}

/** Changes a question in its place, to send it in place of the former one. */
export function QuestionEditor({ name, text, onSend, onCancel }: QuestionEditorProps) {
  const { t } = useTranslation();
  const input = useKeptInput(name, () => ({ text }));
  const written = input.value.text;
  const note = useId();
  const send = () => {
    if (written.trim() === '') return;
    input.forget();
    onSend(written.trim());
  };
  const cancel = () => {
    input.forget();
    onCancel();
  };
  return (
    <form
      className="w-full rounded-2xl border border-input bg-card p-3"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        // biome-ignore lint/a11y/noAutofocus: it stands in the place of the button that was pressed
        autoFocus
        value={written}
        onChange={(event) => input.change({ text: event.target.value })}
        onKeyDown={(event) => {
          const isComposing = event.nativeEvent.isComposing || event.keyCode === 229;
          if (event.key === 'Escape') cancel();
          if (event.key !== 'Enter' || event.shiftKey || isComposing) return;
          event.preventDefault();
          send();
        }}
        rows={Math.min(10, Math.max(2, written.split('\n').length))}
        aria-label={t('chat.editQuestion')}
        aria-describedby={note}
        className="w-full resize-none rounded-lg bg-transparent px-1.5 py-1 text-base leading-6"
      />
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <p id={note} className="min-w-0 flex-1 text-xs text-muted-foreground">
          {t('chat.editNote')}
        </p>
        <Button variant="outline" size="small" onClick={cancel}>
          {t('clear.cancel')}
        </Button>
        <Button type="submit" size="small" aria-disabled={written.trim() === ''}>
          {t('chat.send')}
        </Button>
      </div>
    </form>
  );
}
