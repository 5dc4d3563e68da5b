import { ArrowUp, Paperclip, Square } from 'lucide-react';
import { type KeyboardEvent, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/ui/button.tsx';
import { tabItems } from '../../lib/tab-items.ts';
import { AttachmentList } from './attachment-list.tsx';
import type { Attachment } from './conversation.ts';
import { maximumAttachments, useAttachments } from './use-attachments.ts';

interface ComposerProps {
  /** Where the unsent text is kept, see `tabItems`. */
  storageKey: string;
  /** Whether to focus the input. Not if the composer is only a part of a page. */
  takesFocus?: boolean;
  /** Resolves false if the text was not sent, and stays. */
  onSend: (text: string, attachments: Attachment[]) => Promise<boolean>;
  /** Whether files may be attached. */
  takesFiles?: boolean;
  /** Stops the answer; present while there is one. */
  onStop?: (() => void) | undefined;
  /** Whether the answer is about to be stopped. */
  isStopping?: boolean;
}

/** The message input: grows with the text, Enter sends, Shift+Enter starts a new line. */
export function Composer({
  storageKey,
  takesFocus = true,
  takesFiles = false,
  onSend,
  onStop,
  isStopping = false,
}: ComposerProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(() => keptText(storageKey));
  const area = useRef<HTMLTextAreaElement>(null);
  const isSending = useRef(false);
  const picker = useRef<HTMLInputElement>(null);
  const files = useAttachments(storageKey);
  const isEmpty = text.trim() === '' && files.attachments.length === 0;
  const empty = isEmpty || !files.isReady;

  useEffect(() => {
    if (area.current !== null && area.current.value !== '') fit(area.current);
  }, []);

  useEffect(() => {
    // On a phone the keyboard would cover half of the page.
    if (takesFocus && matchMedia('(pointer: fine)').matches) area.current?.focus();
  }, [takesFocus]);

  useEffect(() => () => tabItems.release(storageKey), [storageKey]);

  const addFiles = useRef(files.add);
  addFiles.current = files.add;
  useEffect(() => {
    if (!takesFiles) return;
    // Anywhere on the page: a file that misses the input would replace the page.
    const over = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      const dropped = [...(event.dataTransfer?.files ?? [])];
      if (dropped.length === 0) return;
      event.preventDefault();
      addFiles.current(dropped);
    };
    document.addEventListener('dragover', over);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('drop', drop);
    };
  }, [takesFiles]);

  const write = (written: string) => {
    setText(written);
    if (written === '') tabItems.remove(storageKey);
    else tabItems.write(storageKey, written);
  };

  const send = () => {
    area.current?.focus();
    if (empty || isSending.current) return;
    isSending.current = true;
    void onSend(text.trim(), files.stored)
      .then((isSent) => {
        if (!isSent) return;
        write('');
        files.clear();
        if (area.current !== null) area.current.style.height = 'auto';
      })
      .finally(() => {
        isSending.current = false;
      });
  };

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    send();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also accepts suggestions of an input method; Safari reports this only by the old key code.
    const composing = event.nativeEvent.isComposing || event.keyCode === 229;
    if (event.key !== 'Enter' || event.shiftKey || composing) return;
    event.preventDefault();
    send();
  };

  return (
    <form onSubmit={submit}>
      <div
        data-focus-frame
        className="rounded-3xl border border-input bg-card p-1.5 shadow-[0_8px_24px_-12px_rgb(0_0_0/0.12)] transition-colors focus-within:border-ring focus-within:outline-3 focus-within:outline-ring/30"
      >
        {files.attachments.length > 0 && <AttachmentList attachments={files.attachments} onRemove={files.remove} />}
        {files.hasTooMany && (
          <p role="alert" className="px-3 pb-2 text-sm text-destructive">
            {t('chat.tooManyFiles', { count: maximumAttachments })}
          </p>
        )}
        <div className="flex items-end gap-2">
          {takesFiles && (
            <>
              <input
                ref={picker}
                type="file"
                multiple
                tabIndex={-1}
                aria-label={t('chat.attach')}
                className="hidden"
                onChange={({ currentTarget }) => {
                  files.add([...(currentTarget.files ?? [])]);
                  currentTarget.value = '';
                }}
              />
              <Button
                variant="ghost"
                size="icon"
                aria-label={t('chat.attach')}
                title={t('chat.attach')}
                onClick={() => picker.current?.click()}
                className="rounded-full"
              >
                <Paperclip aria-hidden />
              </Button>
            </>
          )}
          <textarea
            ref={area}
            value={text}
            onChange={(event) => {
              write(event.target.value);
              fit(event.target);
            }}
            onKeyDown={onKeyDown}
            onPaste={(event) => {
              const pasted = [...event.clipboardData.files];
              if (!takesFiles || pasted.length === 0) return;
              event.preventDefault();
              files.add(pasted);
            }}
            rows={1}
            enterKeyHint="send"
            aria-label={t('chat.placeholder')}
            placeholder={t('chat.placeholder')}
            className="max-h-[min(16rem,40dvh)] min-w-0 flex-1 resize-none self-center bg-transparent px-3.5 py-2 text-base leading-6 outline-none placeholder:text-muted-foreground focus-visible:outline-none"
          />
          {onStop !== undefined && (
            <Button
              variant="outline"
              size="icon"
              aria-label={t(isStopping ? 'chat.stopping' : 'chat.stop')}
              title={t(isStopping ? 'chat.stopping' : 'chat.stop')}
              aria-disabled={isStopping}
              onClick={() => {
                // The button goes with the answer.
                area.current?.focus();
                if (!isStopping) onStop();
              }}
              className="rounded-full aria-disabled:opacity-50"
            >
              <Square aria-hidden className="fill-current" />
            </Button>
          )}
          <Button
            type="submit"
            size="icon"
            aria-label={t('chat.send')}
            title={t('chat.send')}
            aria-disabled={empty}
            className="rounded-full aria-disabled:bg-muted aria-disabled:text-muted-foreground"
          >
            <ArrowUp aria-hidden />
          </Button>
        </div>
      </div>
      <p className="mt-2 hidden text-center text-xs text-muted-foreground sm:block pointer-coarse:hidden">
        {t('chat.hint')}
      </p>
    </form>
  );
}

function keptText(storageKey: string): string {
  const text = tabItems.read(storageKey);
  return typeof text === 'string' ? text : '';
}

/** Adjusts the height to the text; the style sets the limit. */
function fit(area: HTMLTextAreaElement) {
  area.style.height = 'auto';
  area.style.height = `${area.scrollHeight}px`;
}
