import { useMutation } from '@tanstack/react-query';
import { Image as ImageIcon } from 'lucide-react';
import { createContext, useContext, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../lib/error-text.ts';
import { fetchFile } from '../lib/fetch-file.ts';
import { imageSource } from '../lib/image-source.ts';
import { serverAddress } from '../lib/server-address.ts';
import { Button } from './ui/button.tsx';

/** Identifies an image by message and element. */
export interface StoredElement {
  message: string;
  /** Index in the message chain, from 0. */
  element: number;
}

interface MessageImageProps {
  /** The URL in the message, which may be anything. */
  address: string;
  alt: string;
  /** The stored message, if the server can fetch the image. */
  stored?: StoredElement | undefined;
  className?: string;
}

/** Whether an image is inside a link, which cannot contain another link. */
export const InsideLink = createContext(false);

/**
 * An image of a message. An external image is shown as a link with its host: loading it would reveal the reader to that
 * host, together with the content of the URL.
 */
export function MessageImage({ address, alt, stored, className }: MessageImageProps) {
  const source = imageSource(address, serverAddress);
  if (source === null) return <span>{alt}</span>;
  if (source.place === 'here') return <img src={source.address} alt={alt} loading="lazy" className={className} />;
  if (stored === undefined) return <ImageLink address={source.address} host={source.host} alt={alt} />;
  return <LoadableImage {...source} alt={alt} stored={stored} className={className} />;
}

function ImageLink({ address, host, alt }: { address: string; host: string; alt: string }) {
  const { t } = useTranslation();
  const insideLink = useContext(InsideLink);
  const text = (
    <>
      <ImageIcon aria-hidden className="mr-1.5 inline size-4 align-[-0.2em]" />
      {alt === '' ? '' : `${alt} – `}
      {t('common.imageFrom', { host })}
    </>
  );
  if (insideLink) return <span>{text}</span>;
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="wrap-anywhere text-primary underline underline-offset-4"
    >
      {text}
    </a>
  );
}

interface LoadableImageProps {
  address: string;
  host: string;
  alt: string;
  stored: StoredElement;
  className: string | undefined;
}

function LoadableImage({ address, host, alt, stored, className }: LoadableImageProps) {
  const { t } = useTranslation();
  const image = useMutation({
    mutationFn: async () =>
      URL.createObjectURL(await fetchFile(`/api/v1/messages/${stored.message}/images/${stored.element}`)),
  });
  const loaded = image.data;
  useEffect(
    () => () => {
      if (loaded !== undefined) URL.revokeObjectURL(loaded);
    },
    [loaded],
  );
  if (loaded !== undefined) return <img src={loaded} alt={alt} className={className} />;
  return (
    <div className="flex w-fit max-w-full text-sm flex-wrap items-center gap-3 rounded-xl border px-3 py-2.5">
      <ImageLink address={address} host={host} alt="" />
      <Button variant="outline" size="small" disabled={image.isPending} onClick={() => image.mutate()}>
        {t(image.isPending ? 'common.loading' : 'common.loadImage')}
      </Button>
      {image.isError && (
        <p role="alert" className="w-full text-sm text-destructive">
          {errorText(image.error, t)}
        </p>
      )}
    </div>
  );
}
