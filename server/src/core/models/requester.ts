import { I18nText } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import { FormField } from '../forms/form-fields.ts';

/** A kind of model provider as clients see it. */
export const Requester = Type.Object(
  {
    name: Type.String({ description: "The name in a provider's `requester`." }),
    label: I18nText,
    description: I18nText,
    icon: Type.String({ description: 'File name of the icon.' }),
    spec: Type.Object({
      config: Type.Array(FormField, { description: 'Fields of the form for a provider.' }),
      support_type: Type.Array(Type.Enum(['llm', 'text-embedding', 'rerank'])),
      provider_category: Type.Enum(['manufacturer', 'maas', 'self-hosted', 'builtin']),
      lists_models: Type.Boolean({ description: 'Whether the models of a provider can be listed.' }),
      /** Why there can be no provider of this kind; absent where there can. */
      unavailable: Type.Optional(I18nText),
    }),
  },
  { title: 'Requester' },
);
export type Requester = Static<typeof Requester>;
