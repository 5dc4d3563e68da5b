import Type from 'typebox';

export const IdentityProviderInfo = Type.Object({
  name: Type.Union([Type.String(), Type.Null()], { description: 'What it is called; null when none is configured.' }),
});

export const ProviderAddress = Type.Object({
  url: Type.String({
    description: 'Where the browser asks the provider. It comes back to `/sign-in/oidc` of the console.',
  }),
});

export const ProviderAnswer = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 8192,
      description: 'The query that the provider sent the browser back with: `code=…&state=…`.',
    }),
  },
  { additionalProperties: false },
);

export const IdentityLink = Type.Object({
  linked_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description: 'Null when it is not.' }),
});
