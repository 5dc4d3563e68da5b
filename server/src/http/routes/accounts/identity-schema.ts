import Type from 'typebox';

export const IdentityProviderInfo = Type.Object({
  name: Type.Union([Type.String(), Type.Null()], { description: 'Display name; null if none is configured.' }),
});

export const ProviderAddress = Type.Object({
  url: Type.String({
    description: 'Authorization URL of the provider. The browser returns to `/sign-in/oidc` of the console.',
  }),
});

export const ProviderAnswer = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 8192,
      description: 'The query of the redirect from the provider: `code=…&state=…`.',
    }),
  },
  { additionalProperties: false },
);

export const IdentityLink = Type.Object({
  linked_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'Null if it is not linked.',
  }),
});
