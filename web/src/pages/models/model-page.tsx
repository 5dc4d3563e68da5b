import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../components/back-link.tsx';
import { Badge } from '../../components/badge.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { NotFound } from '../../components/states/not-found.tsx';
import { Button } from '../../components/ui/button.tsx';
import { ModelForm } from './model-form.tsx';
import { isModelKind, type ModelKind } from './model-kind.ts';
import { type Model, modelQuery, providersQuery } from './model-queries.ts';
import { useDeleteModel } from './use-delete-model.ts';

const route = getRouteApi('/console/models/$kind/$uuid');

/** One model: settings and test. */
export function ModelPage() {
  const { t } = useTranslation();
  const { kind, uuid } = route.useParams();
  if (isModelKind(kind)) return <KnownKind key={uuid} kind={kind} uuid={uuid} />;
  return (
    <Page title={t('models.model')} back={<Back />}>
      <NotFound />
    </Page>
  );
}

function Back() {
  const { t } = useTranslation();
  return <BackLink to="/models">{t('models.toList')}</BackLink>;
}

function KnownKind({ kind, uuid }: { kind: ModelKind; uuid: string }) {
  const { t } = useTranslation();
  const model = useQuery(modelQuery(kind, uuid));
  if (model.data !== undefined) return <ShownModel kind={kind} model={model.data} />;
  return (
    <Page title={t('models.model')} back={<Back />}>
      <Loaded query={model}>{() => null}</Loaded>
    </Page>
  );
}

function ShownModel({ kind, model }: { kind: ModelKind; model: Model }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const providers = useQuery(providersQuery);
  const remove = useDeleteModel(kind);
  return (
    <Page
      title={model.name}
      back={<Back />}
      actions={
        <Button
          variant="outline"
          size="small"
          onClick={() => {
            remove(model);
            void navigate({ to: '/models', ignoreBlocker: true });
          }}
        >
          <Trash2 aria-hidden />
          {t('common.delete')}
        </Button>
      }
    >
      <div className="-mt-4 mb-6 flex flex-wrap items-center gap-3 text-sm text-muted-foreground">
        <Badge>{t(`models.kindNames.${kind}`)}</Badge>
        {model.provider && (
          <Link
            to="/models/providers/$uuid"
            params={{ uuid: model.provider_uuid }}
            className="rounded underline underline-offset-4"
          >
            {model.provider.name}
          </Link>
        )}
      </div>
      <Loaded query={providers}>{(all) => <ModelForm kind={kind} model={model} providers={all} />}</Loaded>
    </Page>
  );
}
