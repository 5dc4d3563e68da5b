import { useTranslation } from 'react-i18next';
import { Section } from '../../components/page.tsx';
import { SegmentedControl } from '../../components/ui/segmented-control.tsx';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { AbilitiesField } from './abilities-field.tsx';
import { type ModelKind, modelKinds, offeredKind } from './model-kind.ts';
import type { Ability, Model, Provider, Requester } from './model-queries.ts';
import { NamedModelForm } from './named-model-form.tsx';
import { OfferedModels } from './offered-models.tsx';

interface AddModelsTabProps {
  provider: Provider;
  requester: Requester;
  /** The existing models. */
  models: readonly { kind: ModelKind; model: Model }[];
}

/** Adds models of a provider: from its list, or by name. */
export function AddModelsTab({ provider, requester, models }: AddModelsTabProps) {
  const { t } = useTranslation();
  const kinds = modelKinds.filter((kind) => requester.spec.support_type.includes(offeredKind(kind)));
  const choice = useKeptInput(`add-models:${provider.uuid}`, () => ({
    kind: kinds[0] ?? 'llm',
    abilities: ['func_call'] as Ability[],
  }));
  const { abilities } = choice.value;
  const kind = kinds.includes(choice.value.kind) ? choice.value.kind : (kinds[0] ?? 'llm');
  const known = models.filter((one) => one.kind === kind).map(({ model }) => model.name);
  const shared = { provider, kind, abilities, known };
  return (
    <div className="max-w-2xl">
      <div className="mb-8 space-y-4">
        {kinds.length > 1 && (
          <SegmentedControl
            label={t('models.addAs')}
            value={kind}
            onChange={(next) => choice.change({ ...choice.value, kind: next })}
            options={kinds.map((value) => ({ value, label: t(`models.kindNames.${value}`) }))}
          />
        )}
        {kind === 'llm' && (
          <AbilitiesField
            abilities={abilities}
            onChange={(next) => choice.change({ ...choice.value, abilities: next })}
          />
        )}
      </div>
      {requester.spec.lists_models && (
        <Section title={t('models.offered')} text={t('models.offeredText')}>
          <OfferedModels key={kind} {...shared} />
        </Section>
      )}
      <Section
        title={t('models.byName')}
        text={t(requester.spec.lists_models ? 'models.byNameText' : 'models.notListed')}
      >
        <NamedModelForm key={kind} {...shared} />
      </Section>
    </div>
  );
}
