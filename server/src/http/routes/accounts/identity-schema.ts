import Type from 'typebox';
import { nullable } from '../../../lib/schema-parts.ts';

export const IdentityProviderInfo = Type.Object({
  name: nullable(Type.String(), 'Display name; null if none is configured.'),
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
  linked_at: nullable(Type.String({ format: 'date-time' }), 'Null if it is not linked.'),
});
