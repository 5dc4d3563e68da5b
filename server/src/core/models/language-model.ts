import Type, { type Static } from 'typebox';
import { CreateProvider, Provider } from './provider.ts';

const uuid = Type.String({ format: 'uuid' });

/** A language model of a provider. `prefered_ranking` is spelled as clients of the reference system spell it. */
export const LanguageModelRecord = Type.Object(
  {
    uuid,
    name: Type.String({ description: "The model's id at the provider." }),
    provider_uuid: uuid,
    abilities: Type.Array(Type.String()),
    extra_args: Type.Record(Type.String(), Type.Unknown()),
    prefered_ranking: Type.Integer(),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
    provider: Type.Optional(Provider),
  },
  { title: 'LanguageModel' },
);
export type LanguageModelRecord = Static<typeof LanguageModelRecord>;

export const CreateLanguageModel = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255 }),
    provider_uuid: Type.Optional(Type.String()),
    provider: Type.Optional(
      Type.Object(
        {
          uuid: Type.Optional(Type.String()),
          requester: Type.Optional(CreateProvider.properties.requester),
          base_url: Type.Optional(CreateProvider.properties.base_url),
          api_keys: CreateProvider.properties.api_keys,
        },
        { additionalProperties: false, description: 'Names a provider by uuid, or describes one to find or make.' },
      ),
    ),
    abilities: Type.Optional(Type.Array(Type.Enum(['vision', 'func_call']), { maxItems: 10 })),
    extra_args: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    prefered_ranking: Type.Optional(Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647 })),
  },
  { additionalProperties: false },
);
export type CreateLanguageModel = Static<typeof CreateLanguageModel>;
