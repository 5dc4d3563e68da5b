import type { components } from '@parley/client';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../components/copy-button.tsx';
import { MessageImage } from '../../components/message-image.tsx';

/** What a tool returned: its text, never rendered as anything else, and its images. */
export function ToolResult({ result }: { result: components['schemas']['ToolRun'] }) {
  const { t, i18n } = useTranslation();
  const text = readable(result.text);
  const seconds = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 2 }).format(result.milliseconds / 1000);
  const images = result.attachments.flatMap(({ type, base64 }) =>
    type === 'Image' && typeof base64 === 'string' ? [base64] : [],
  );
  return (
    <section aria-label={t('tools.result')} className="space-y-2.5 text-sm">
      <div className="flex items-center justify-between gap-3">
        <p className="font-medium">{t('tools.resultAfter', { seconds })}</p>
        <CopyButton iconOnly text={() => result.text} label={t('tools.copyResult')} copiedLabel={t('common.copied')} />
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-xl bg-muted p-3 font-mono text-xs leading-5 break-words whitespace-pre-wrap"
      >
        {text}
      </pre>
      {images.map((address, index) => (
        <MessageImage
          // biome-ignore lint/suspicious/noArrayIndexKey: images have no other identity than their place
          key={index}
          address={address}
          alt={t('tools.resultImage', { number: index + 1 })}
          className="max-h-96 max-w-full rounded-xl border"
        />
      ))}
    </section>
  );
}

/** JSON is indented, the whole or in a line: notes on attachments follow in lines of their own. */
function readable(text: string): string {
  return (
    indented(text) ??
    text
      .split('\n')
      .map((line) => indented(line) ?? line)
      .join('\n')
  );
}

function indented(text: string): string | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return null;
  }
}
