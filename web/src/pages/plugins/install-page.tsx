import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../components/back-link.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Loading } from '../../components/states/loading.tsx';
import { failureOfRequest } from '../../lib/failure.ts';
import { inspectPackage } from '../../lib/uploads.ts';
import { CatalogueForm } from './catalogue-form.tsx';
import { GithubForm } from './github-form.tsx';
import type { Installed } from './installation.ts';
import { PackageDrop } from './package-drop.tsx';
import { PackageFailure } from './package-failure.tsx';
import { PackageReview } from './package-review.tsx';
import { pathOf } from './plugin-queries.ts';

/** Installs a plugin: a package is inspected first, and what it asks for is shown before anything of it is kept. */
export function InstallPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [file, setFile] = useState<File | null>(null);
  const inspect = useMutation({
    mutationFn: (given: File) =>
      inspectPackage(given, { progress: () => undefined, signal: new AbortController().signal }),
  });
  const choose = (given: File) => {
    setFile(given);
    inspect.mutate(given);
  };
  const leave = () => {
    setFile(null);
    inspect.reset();
  };
  const installed = ({ id }: Installed) => navigate({ to: '/plugins/$author/$name', params: pathOf(id).path });
  const isReview = file !== null && inspect.isSuccess;
  return (
    <Page
      title={t(isReview ? 'plugins.reviewTitle' : 'plugins.install')}
      introduction={t(isReview ? 'plugins.reviewText' : 'plugins.installText')}
      back={<BackLink to="/plugins">{t('plugins.toList')}</BackLink>}
    >
      {isReview ? (
        <PackageReview
          key={inspect.data.digest}
          file={file}
          inspection={inspect.data}
          onInstalled={installed}
          onCancel={leave}
        />
      ) : (
        <div className="max-w-3xl">
          <PackageDrop onChoose={choose} isBusy={inspect.isPending} />
          <div className="mt-4 space-y-4" aria-live="polite">
            {inspect.isPending && <Loading rows={2} />}
            {inspect.isError && file !== null && (
              <PackageFailure
                failure={failureOfRequest(inspect.error, t)}
                title={t('plugins.refused', { file: file.name })}
              />
            )}
          </div>
          <Section title={t('plugins.github.title')} text={t('plugins.github.text')}>
            <GithubForm onInstalled={installed} />
          </Section>
          <Section title={t('plugins.catalogue.title')} text={t('plugins.catalogue.text')}>
            <CatalogueForm onInstalled={installed} />
          </Section>
        </div>
      )}
    </Page>
  );
}
