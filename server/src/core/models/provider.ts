import Type, { type Static } from 'typebox';

/** Where models are reached: the kind of requester, the address and the keys. */
export const Provider = Type.Object(
  {
    uuid: Type.String({ format: 'uuid' }),
    name: Type.String(),
    requester: Type.String({ description: 'Name of the requester kind that calls the provider.' }),
    base_url: Type.String(),
    api_keys: Type.Array(Type.String(), { description: 'Masked.' }),
    llm_count: Type.Integer({ description: 'Number of LLM models that use this provider.' }),
    embedding_count: Type.Integer({ description: 'Number of embedding models that use this provider.' }),
    rerank_count: Type.Integer({ description: 'Number of rerank models that use this provider.' }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { title: 'ModelProvider' },
);
export type Provider = Static<typeof Provider>;

/** A provider as it is stored: masked keys to show, sealed keys to use. */
export type StoredProvider = Omit<Provider, 'llm_count' | 'embedding_count' | 'rerank_count'> & {
  sealed_secrets: string | null;
  /** As {@link SavedAddresses}. */
  admin_addresses: string[] | null;
};

/** Characters of a name. */
export const longestName = 255;

const fields = {
  name: Type.String({ minLength: 1, maxLength: longestName }),
  requester: Type.String({ minLength: 1, maxLength: 255 }),
  base_url: Type.String({ maxLength: 512 }),
  api_keys: Type.Array(Type.String({ maxLength: 4096 }), {
    maxItems: 100,
    description: 'A masked key refers to the stored key with this mask, if requester and origin of the address stay.',
  }),
};

export const CreateProvider = Type.Object(
  { ...fields, api_keys: Type.Optional(fields.api_keys) },
  { additionalProperties: false },
);
export type CreateProvider = Static<typeof CreateProvider>;

/** Omitted fields stay unchanged. */
export const UpdateProvider = Type.Partial(Type.Object(fields), { additionalProperties: false });
export type UpdateProvider = Static<typeof UpdateProvider>;

/** The provider of a model: named by uuid, or described, to be found or created. */
export const NamedProvider = Type.Object({
  provider_uuid: Type.Optional(Type.String({ description: 'Goes before `provider`.' })),
  provider: Type.Optional(
    Type.Partial(Type.Object({ uuid: Type.String(), ...fields }), {
      additionalProperties: false,
      description: 'Names a provider by `uuid`; without one, describes one that is found or made.',
    }),
  ),
});
export type NamedProvider = Static<typeof NamedProvider>;
