import { getRouteApi, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../components/back-link.tsx';
import { GuideText } from '../../components/guides/guide-text.tsx';
import { useTitle } from '../../lib/use-title.ts';

const route = getRouteApi('/console/guides/$name');

/** A guide. Its first heading is that of the page. */
export function GuidePage() {
  const { t } = useTranslation();
  const { guide, text } = route.useLoaderData();
  useTitle(guide.title);
  const hash = useLocation({ select: (location) => location.hash });
  // When the page is opened by its address, the router scrolls before the text is shown.
  useEffect(() => {
    if (hash !== '') document.getElementById(hash)?.scrollIntoView();
  }, [hash]);
  return (
    <article className="mx-auto w-full max-w-6xl px-4 py-6 sm:px-6 lg:px-8 lg:py-8">
      <div className="mb-2 text-sm">
        <BackLink to="/guides">{t('guides.toList')}</BackLink>
      </div>
      <div className="max-w-4xl" lang={guide.language ?? 'en'}>
        <GuideText key={guide.name} text={text} />
      </div>
    </article>
  );
}
