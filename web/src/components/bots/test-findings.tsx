import type { components } from '@parley/client';
import { CircleAlert, TriangleAlert } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { localized } from '../../lib/i18n.ts';
import { showField } from '../../lib/show-field.ts';
import { Button } from '../ui/button.tsx';
import type { Adapter } from './bot-queries.ts';

const Markdown = lazy(async () => ({ default: (await import('../markdown.tsx')).Markdown }));

type Finding = components['schemas']['TestFinding'];

interface TestFindingsProps {
  adapter: Adapter;
  findings: readonly Finding[];
}

/** What a connection test found, each with a way to the field that it is about. */
export function TestFindings({ adapter, findings }: TestFindingsProps) {
  const { t } = useTranslation();
  return (
    <ul className="space-y-3">
      {findings.map((finding) => {
        const field = adapter.spec.config.find(({ name }) => name === finding.field);
        const Icon = finding.level === 'error' ? CircleAlert : TriangleAlert;
        return (
          <li key={`${finding.field} ${finding.text.en_US}`} className="flex items-start gap-2">
            <Icon
              aria-hidden
              className={`mt-0.5 size-4 shrink-0 ${finding.level === 'error' ? 'text-destructive' : 'text-notice'}`}
            />
            <div className="min-w-0">
              <div className="wrap-anywhere [&_.markdown]:inline [&_.markdown>p]:inline">
                <span className="font-medium">{t(`bots.findingLevels.${finding.level}`)}:</span>{' '}
                <Suspense fallback={localized(finding.text)}>
                  <Markdown text={localized(finding.text)} />
                </Suspense>
              </div>
              {field !== undefined && (
                <Button
                  variant="outline"
                  size="small"
                  className="mt-1.5"
                  onClick={() => showField(`adapter_config.${field.name}`)}
                >
                  {t('bots.findingField', { field: localized(field.label) })}
                </Button>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
