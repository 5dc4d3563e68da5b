import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useHeldKeys } from '../../components/lists/use-deletion.ts';
import { type ModelKind, modelKinds } from './model-kind.ts';
import type { Model } from './model-queries.ts';
import { ModelRow } from './model-row.tsx';

/** Models of a kind; the table of models has all. */
const mostModels = 10;

/** The models of one provider by kind, without empty kinds. */
export function ProviderModels({ models }: { models: readonly { kind: ModelKind; model: Model }[] }) {
  const { t } = useTranslation();
  const held = useHeldKeys();
  return modelKinds.map((kind) => {
    const members = models.filter((one) => one.kind === kind && !held.has(`models/${one.model.uuid}`));
    if (members.length === 0) return null;
    return (
      <div key={kind}>
        <h3 className="border-t bg-muted/50 px-4 py-1.5 text-xs font-medium text-muted-foreground sm:px-5">
          {t(`models.kinds.${kind}`)}
        </h3>
        <ul>
          {members.slice(0, mostModels).map(({ model }) => (
            <ModelRow key={model.uuid} kind={kind} model={model} />
          ))}
        </ul>
        {members.length > mostModels && (
          <p className="border-t px-4 py-2 text-sm sm:px-5">
            <Link
              to="/models"
              search={{
                tab: 'models',
                ...(kind !== 'llm' && { kind }),
                provider: members[0]?.model.provider_uuid ?? '',
              }}
              className="rounded underline-offset-4 hover:underline"
            >
              {t('models.showAll', { count: members.length })}
            </Link>
          </p>
        )}
      </div>
    );
  });
}
