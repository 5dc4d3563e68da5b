import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';
import { differenceText, figuresThere, figureText } from './figures.ts';
import type { Figures } from './knowledge-queries.ts';

/** The metrics of the active and the new collection, side by side. */
export function ComparedFigures({ before, after }: { before: Figures | null; after: Figures | null }) {
  const { t, i18n } = useTranslation();
  return (
    <div className="mt-4 overflow-x-auto">
      <table className="w-full max-w-xl border-collapse text-left text-sm">
        <caption className="sr-only">{t('knowledge.waiting')}</caption>
        <thead>
          <tr className="border-b text-muted-foreground">
            <th scope="col" className="py-1.5 pr-2 sm:pr-4 font-medium">
              {t('knowledge.figure')}
            </th>
            <th scope="col" className="px-2 py-1.5 sm:px-4 text-right font-medium">
              {t('knowledge.present')}
            </th>
            <th scope="col" className="px-2 py-1.5 sm:px-4 text-right font-medium">
              {t('knowledge.newOne')}
            </th>
            <th scope="col" className="py-1.5 pl-2 sm:pl-4 text-right font-medium">
              {t('knowledge.difference')}
            </th>
          </tr>
        </thead>
        <tbody>
          {figuresThere(before, after).map((name) => {
            const [old, present] = [before?.[name], after?.[name]];
            const isLower = typeof old === 'number' && typeof present === 'number' && present < old;
            return (
              <tr key={name} className="border-b last:border-b-0">
                <th scope="row" className="py-1.5 pr-2 sm:pr-4 font-normal">
                  {t(`knowledge.figures.${name}`)}
                </th>
                <td className="px-2 py-1.5 sm:px-4 text-right tabular-nums">{figureText(old, i18n.language)}</td>
                <td className="px-2 py-1.5 sm:px-4 text-right tabular-nums">{figureText(present, i18n.language)}</td>
                <td
                  className={classNames(
                    'py-1.5 pl-2 sm:pl-4 text-right tabular-nums',
                    isLower ? 'font-medium text-destructive' : 'text-good',
                  )}
                >
                  {differenceText(old, present, i18n.language)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
