import { useTranslation } from 'react-i18next';
import { type ModelKind, modelKinds } from './model-kind.ts';
import type { Model } from './model-queries.ts';
import { ModelRow } from './model-row.tsx';

/** The models of one provider by kind, without empty kinds. */
export function ProviderModels({ models }: { models: readonly { kind: ModelKind; model: Model }[] }) {
  const { t } = useTranslation();
  return modelKinds.map((kind) => {
    const members = models.filter((one) => one.kind === kind);
    if (members.length === 0) return null;
    return (
      <div key={kind}>
        <h3 className="border-t bg-muted/50 px-4 py-1.5 text-xs font-medium text-muted-foreground sm:px-5">
          {t(`models.kinds.${kind}`)}
        </h3>
        <ul>
          {members.map(({ model }) => (
            <ModelRow key={model.uuid} kind={kind} model={model} />
          ))}
        </ul>
      </div>
    );
  });
}
