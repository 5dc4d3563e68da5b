import { useTranslation } from 'react-i18next';
import { Section } from '../../components/page.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { classNames } from '../../lib/class-names.ts';
import type { DocumentDetail } from './knowledge-queries.ts';
import { rangesOf } from './page-ranges.ts';

/** Maximum number of rendered pages. */
const drawnPages = 2000;

/** The amount of text per page; pages without text are listed, because they cannot be found. */
export function PageCoverage({ document }: { document: DocumentDetail }) {
  const { t, i18n } = useTranslation();
  const { pages, page_kind } = document;
  if (pages.length === 0) return null;
  const kind = page_kind ?? 'page';
  const number = new Intl.NumberFormat(i18n.language);
  const empty = pages.filter(({ characters }) => characters === 0);
  const noted = pages.filter(({ note }) => note !== undefined);
  return (
    <Section title={t(`knowledge.coverage.${kind}`)}>
      {empty.length > 0 ? (
        <Alert variant="notice" className="mb-4">
          {t(`knowledge.withoutText.${kind}`, {
            count: empty.length,
            pages: rangesOf(empty.map((page) => page.number)),
          })}
        </Alert>
      ) : (
        <p className="mb-3 text-sm text-muted-foreground">{t('knowledge.allHaveText', { count: pages.length })}</p>
      )}
      <ul aria-hidden className="flex flex-wrap gap-1">
        {pages.slice(0, drawnPages).map((page) => (
          <li
            key={page.number}
            title={t('knowledge.pageCharacters', {
              page: page.name === undefined ? `${page.number}` : `${page.number} · ${page.name}`,
              characters: number.format(page.characters),
            })}
            className={classNames(
              'flex h-6 min-w-6 items-center justify-center rounded-md px-1 text-xs tabular-nums',
              page.characters === 0
                ? 'border border-dashed border-destructive text-destructive'
                : page.note === undefined
                  ? 'bg-good-soft text-good'
                  : 'bg-notice-soft text-notice',
            )}
          >
            {page.number}
          </li>
        ))}
      </ul>
      {noted.length > 0 && (
        <ul className="mt-4 max-h-60 space-y-1 overflow-y-auto text-sm">
          {noted.map((page) => (
            <li key={page.number} className="break-words">
              <span className="font-medium">{t('knowledge.page', { page: page.number })}</span>{' '}
              <span className="text-muted-foreground">{page.note}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
