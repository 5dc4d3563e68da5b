import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { guideGroups, guidesIn } from '../../components/guides/guide-list.ts';
import { Page, Section } from '../../components/page.tsx';

/** The guides that are shipped with the server. */
export function GuidesPage() {
  const { t, i18n } = useTranslation();
  const shown = guidesIn(i18n.language);
  return (
    <Page title={t('navigation.guides')} introduction={t('guides.introduction')}>
      {guideGroups.map((group) => (
        <Section key={group} title={t(`guides.groups.${group}`)}>
          <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
            {shown
              .filter((guide) => guide.group === group)
              .map(({ name, title, language = 'en' }) => (
                <li key={name}>
                  <Link
                    to="/guides/$name"
                    params={{ name }}
                    lang={language}
                    className="block h-full rounded-xl border bg-card px-4 py-3 font-medium transition-colors hover:border-ring hover:bg-muted/50"
                  >
                    {title}
                  </Link>
                </li>
              ))}
          </ul>
        </Section>
      ))}
    </Page>
  );
}
