import { SaveBar } from '../../components/forms/save-bar.tsx';
import { api } from '../../lib/api.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useSaved } from '../../lib/use-saved.ts';
import { type Provider, type Requester, readTaggedProvider } from './model-queries.ts';
import { filledKeys, ProviderFields } from './provider-fields.tsx';
import { ProviderTrial } from './provider-trial.tsx';

const contentOf = ({ name, base_url, api_keys }: Provider) => ({ name, base_url, api_keys });

/** Name and connection of a provider. */
export function ProviderConfiguration({
  provider,
  requester,
}: {
  provider: Provider;
  requester: Requester | undefined;
}) {
  const draft = useDraft({
    name: `provider:${provider.uuid}`,
    stored: provider,
    contentOf,
    read: () => readTaggedProvider(provider.uuid),
    save: (value, headers) => {
      const body = { ...value, name: value.name.trim(), api_keys: filledKeys(value.api_keys) };
      return api.put('/api/v1/provider/providers/{provider_uuid}', {
        params: { path: { provider_uuid: provider.uuid } },
        headers,
        body: requester === undefined ? { name: body.name } : body,
      });
    },
    onSaved: useSaved(['models'], ['offered-models', provider.uuid]),
  });
  return (
    <>
      <div className="max-w-2xl space-y-6">
        <ProviderFields
          requester={requester}
          value={draft.value}
          onChange={draft.change}
          typed={draft.typed}
          faults={draft.faults}
        />
        {requester !== undefined && <ProviderTrial requester={requester} entry={draft.value} />}
      </div>
      <SaveBar draft={draft} />
    </>
  );
}
