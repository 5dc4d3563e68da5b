import { Link, useMatches } from '@tanstack/react-router';
import { BookOpenText } from 'lucide-react';
import { useTranslation } from 'react-i18next';

/** The link to the guide that the route of the page names. */
export function GuideLink() {
  const { t } = useTranslation();
  const name = useMatches({
    select: (matches) => matches.findLast(({ staticData }) => staticData.guide)?.staticData.guide,
  });
  if (name === undefined) return null;
  return (
    <Link
      to="/guides/$name"
      params={{ name }}
      className="inline-flex min-h-6 items-center gap-1.5 rounded text-sm text-muted-foreground underline-offset-4 hover:text-foreground hover:underline"
    >
      <BookOpenText aria-hidden className="size-4" />
      {t('navigation.guide')}
    </Link>
  );
}
