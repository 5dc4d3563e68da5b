import { writeFileSync } from 'node:fs';
import type { ModelRequester } from '@parley/sdk';
import { modelRequesters } from '../server/src/providers/index.ts';
import { capabilityTests, modelCapabilities } from '../server/test/factories/model-capabilities.ts';

/** Where the generated page is. */
export const modelsDocsFile = new URL('../docs/models.md', import.meta.url);

const categories: Record<ModelRequester['category'], string> = {
  manufacturer: 'Makers of models',
  maas: 'Services with models of several makers',
  'self-hosted': 'Servers of your own',
  builtin: 'Built in',
};

/** The page that tells what each kind of model provider can do, and links to the tests that show it. */
export function modelsDocs(): string {
  return `# Models

<!-- Made by scripts/write-models-docs.ts from server/src/providers and server/test/factories/model-capabilities.ts; do not edit. -->

A [provider](openapi.json) is an address with keys; its \`requester\` says how it is spoken to. A model is a name at a
provider. The names of requesters are those of the reference system; \`mistral-chat-completions\`, \`groq-chat-completions\`,
\`together-chat-completions\`, \`jina\`, \`openai-responses\`, \`gemini\`, \`azure-openai\` and \`amazon-bedrock\` are added.
Any other service that speaks the protocol of OpenAI works with \`openai-chat-completions\` and its own address.

[Tests](../${capabilityTests}) show each "yes" for that requester, against a server that speaks its protocol. Whether a
model can do what its requester can is up to the model.
${Object.entries(categories)
  .map(([category, heading]) => tableOf(heading, ofCategory(category)))
  .join('')}
${modelRequesters
  .filter(({ unavailable }) => unavailable !== undefined)
  .map(
    ({ name, unavailable }) =>
      `\`${name}\` is listed for clients that know it, but is not available: ${unavailable?.en_US}`,
  )
  .join('\n')}

## Settings

- **Address**: the one in the table, or any other that speaks the same protocol. A slash at its end does not matter.
  \`anthropic-messages\` and \`gemini\` add the version where the address has none; \`ollama-chat\` takes the address of the
  server, also with \`/v1\`. \`azure-openai\` takes the address of the resource, with or without \`/openai/v1\`; one that ends
  with \`?api-version=…\` uses the API of that version. \`amazon-bedrock\` takes the region from its address. Addresses that
  begin with \`your-\` stand for one of your own.
- **Redirects** are not followed, neither by calls nor by lists of models: the error names the origin that the provider
  points to, so that its address can be saved.
- **Keys**: several take turns; one that is refused is left alone for a while. Local servers need none.
- **\`extra_args\`** of a model are laid on the body of each request, as the provider names the fields: \`{"temperature": 0.2}\`,
  for \`gemini\` \`{"generationConfig": {"temperature": 0.2}}\`, for \`ollama-chat\` \`{"options": {"num_ctx": 8192},
  "keep_alive": "1h"}\`, for \`amazon-bedrock\` \`{"inferenceConfig": {"temperature": 0.2}}\`. What is said and how it comes back
  are not replaced.
- \`openai-responses\` asks OpenAI not to store what is said, unless \`extra_args\` holds \`"store": true\`.

## Which models there are

\`GET /api/v1/provider/providers/{provider_uuid}/available-models\` asks the provider and answers
\`{"supported": true, "models": [{"id": "…", "kinds": ["llm"], "label": "…"}]}\`. \`kinds\` and \`label\` are there where the
provider tells them. \`supported\` is false, and the list empty, where providers of the kind have no list: then the name is
typed.

## When a call fails

A test of a model, a list of models and an answer fail for the same [reasons](errors.md):

| reason | what happened |
|---|---|
| \`provider_unauthorized\` | the provider does not accept the key |
| \`unknown_model\` | it has no model of the name, or the key may not use it |
| \`provider_unreachable\` | no connection: nobody listens, the name is unknown, the certificate does not hold |
| \`provider_timeout\` | no answer in time |
| \`quota\` | too many requests, or no credit left; \`Retry-After\` where the provider says when to come back |
| \`address_not_allowed\` | the address leads to a network that no call may reach |
| \`provider_failed\` | anything else; the message holds what the provider said, without the key |
`;
}

function ofCategory(category: string): ModelRequester[] {
  return modelRequesters.filter((requester) => requester.category === category);
}

function tableOf(heading: string, requesters: ModelRequester[]): string {
  const rows = requesters.map((requester) => {
    const address = requester.default_base_url === '' ? 'none' : `\`${requester.default_base_url}\``;
    const cells = modelCapabilities.map(({ has }) => (has(requester) ? 'yes' : ''));
    return `| ${[`\`${requester.name}\``, requester.label.en_US, address, ...cells].join(' | ')} |`;
  });
  const columns = ['requester', 'provider', 'usual address', ...modelCapabilities.map(({ name }) => name)];
  return `
## ${heading}

| ${columns.join(' | ')} |
|${'---|'.repeat(columns.length)}
${rows.join('\n')}
`;
}

if (import.meta.main) writeFileSync(modelsDocsFile, modelsDocs());
