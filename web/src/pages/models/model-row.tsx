import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { Button } from '../../components/ui/button.tsx';
import type { ModelKind } from './model-kind.ts';
import { type Ability, type Model, testModel } from './model-queries.ts';
import { TestOutcome } from './test-outcome.tsx';
import { useDeleteModel } from './use-delete-model.ts';

const abilities: readonly Ability[] = ['vision', 'func_call'];

/** A model in the list of its provider: abilities and test. */
export function ModelRow({ kind, model }: { kind: ModelKind; model: Model }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const remove = useDeleteModel(kind);
  const { name, uuid, provider_uuid, extra_args } = model;
  const test = useMutation({ mutationFn: () => testModel(kind, { name, provider_uuid, extra_args }) });
  return (
    <li className="border-t px-4 py-2 sm:px-5">
      <div className="flex items-center gap-2">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <Link
            to="/models/$kind/$uuid"
            params={{ kind, uuid }}
            className="rounded text-sm font-medium break-all underline-offset-4 hover:underline"
          >
            {name}
          </Link>
          {abilities
            .filter((ability) => model.abilities?.includes(ability))
            .map((ability) => (
              <Badge key={ability}>{t(`models.abilityBadges.${ability}`)}</Badge>
            ))}
        </div>
        <Button
          variant="outline"
          size="small"
          aria-label={t('models.testName', { name })}
          disabled={test.isPending}
          onClick={() => test.mutate()}
        >
          {t('common.test')}
        </Button>
        <ActionMenu
          subject={name}
          onEdit={() => void navigate({ to: '/models/$kind/$uuid', params: { kind, uuid } })}
          onDelete={() => remove(model)}
        />
      </div>
      <TestOutcome test={test} />
    </li>
  );
}
