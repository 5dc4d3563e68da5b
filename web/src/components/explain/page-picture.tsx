import type { components } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { LoaderCircle, ZoomIn, ZoomOut } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';
import { errorText } from '../../lib/error-text.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import type { Passage } from './passage.ts';
import { pageImageQuery, pagesQuery } from './passage-queries.ts';

type Areas = components['schemas']['PageTextAreas'];

/** The pages of a document with a passage, its words marked. */
export function PassagePages({ passage, document }: { passage: Passage; document: string }) {
  const { t } = useTranslation();
  const located = useQuery(pagesQuery(passage, document));
  const first = passage.source?.page ?? 1;
  const pages = located.data ?? [];
  const quoted = pages.filter(({ quotes }) => quotes.length > 0);
  const shown = quoted.length > 0 ? quoted : pages.length > 0 ? pages : [{ page: first, text: [], quotes: [] }];
  return (
    <div className="space-y-4">
      {located.isSuccess && pages.length === 0 && (
        <p className="text-sm text-muted-foreground">{t('citations.notLocated')}</p>
      )}
      {shown.map((areas) => (
        <PagePicture key={areas.page} passage={passage} document={document} areas={areas} />
      ))}
    </div>
  );
}

interface PagePictureProps {
  passage: Passage;
  document: string;
  areas: Areas;
}

function PagePicture({ passage, document, areas }: PagePictureProps) {
  const { t } = useTranslation();
  const { page } = areas;
  const [isLarge, setLarge] = useState(false);
  const image = useQuery(pageImageQuery(passage.base, document, page));
  const address = useObjectUrl(image.data);
  const box = useRef<HTMLElement>(null);
  const firstMark = (areas.quotes[0] ?? areas.text[0])?.y ?? 0;
  /** Scrolls to the words, once the size of the image is known. */
  const showMark = useCallback(() => {
    const frame = box.current;
    if (frame !== null) frame.scrollTop = firstMark * frame.scrollHeight - frame.clientHeight / 3;
  }, [firstMark]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the size differs then
  useEffect(showMark, [showMark, isLarge]);
  return (
    <figure>
      <figcaption className="mb-1.5 flex items-center justify-between gap-2 text-sm font-medium">
        {t('citations.page', { page })}
        <Button
          variant="ghost"
          size="small"
          aria-pressed={isLarge}
          disabled={address === null}
          onClick={() => setLarge(!isLarge)}
        >
          {isLarge ? <ZoomOut aria-hidden /> : <ZoomIn aria-hidden />}
          {t(isLarge ? 'citations.smaller' : 'citations.larger')}
        </Button>
      </figcaption>
      {image.isError && <Alert variant="notice">{errorText(image.error, t)}</Alert>}
      {!image.isError && (
        <section
          ref={box}
          aria-label={t('citations.page', { page })}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
          tabIndex={0}
          className="max-h-[min(40rem,70dvh)] overflow-auto rounded-lg border bg-white"
        >
          {address === null ? (
            <div className="flex aspect-[1/1.414] items-center justify-center text-neutral-500" role="status">
              <LoaderCircle aria-hidden className="size-6 motion-safe:animate-spin" />
              <span className="sr-only">{t('citations.loadingPage')}</span>
            </div>
          ) : (
            <div className={classNames('relative', isLarge ? 'w-[200%]' : 'w-full')}>
              <img
                src={address}
                alt={t('citations.pageOf', { page, document: passage.source?.file_name ?? '' })}
                onLoad={showMark}
                className="block w-full"
              />
              <Marks areas={areas.text} className="bg-yellow-200/60" />
              <Marks areas={areas.quotes} className="bg-amber-400/70" name="quote" />
            </div>
          )}
        </section>
      )}
    </figure>
  );
}

function Marks({ areas, className, name = 'passage' }: { areas: Areas['text']; className: string; name?: string }) {
  const percent = (share: number) => `${share * 100}%`;
  return areas.map(({ x, y, width, height }) => (
    <span
      key={`${x} ${y}`}
      aria-hidden
      data-mark={name}
      className={classNames('absolute rounded-[2px] mix-blend-multiply', className)}
      style={{ left: percent(x), top: percent(y), width: percent(width), height: percent(height) }}
    />
  ));
}

/** An address for content in memory, as long as it is shown. */
function useObjectUrl(content: Blob | undefined): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (content === undefined) return setAddress(null);
    const made = URL.createObjectURL(content);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [content]);
  return address;
}
