import { InvalidResponseDataError } from '@ai-sdk/provider';
import type { AvailableModel, ModelKind, ProviderConnection } from '@parley/sdk';
import Type, { type Static, type TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { fetchWithCleanErrors } from './fetch-with-clean-errors.ts';
import { parsedJson, refusedCall } from './refused-call.ts';

/** More of a list than any provider has, bytes. */
const maximumListBytes = 20_000_000;
/** Pages that are read of one list. */
const maximumPages = 20;

/** The keys of a provider in the headers of a request; without a key there are none. */
export type KeyHeaders = (key: string) => Record<string, string>;

export const bearerHeaders: KeyHeaders = (key) => ({ authorization: `Bearer ${key}` });

/** How one protocol lists models. */
export interface ModelListing<Page extends TSchema> {
  url: string;
  headers: KeyHeaders;
  /** Schema of a page; other fields are ignored. */
  page: Page;
  modelsOf(page: Static<Page>): AvailableModel[];
  /** The address of the next page; absent at the end, and where lists have one page. */
  nextPage?(page: Static<Page>): string | undefined;
}

/**
 * Reads the list of the models of a provider, each once.
 * @throws APICallError when the provider refuses, InvalidResponseDataError when the answer is no list
 */
export async function listModels<Page extends TSchema>(
  { api_key, fetch }: ProviderConnection,
  listing: ModelListing<Page>,
  signal: AbortSignal,
): Promise<AvailableModel[]> {
  const clean = fetchWithCleanErrors(fetch, api_key);
  const headers = { accept: 'application/json', ...(api_key ? listing.headers(api_key) : {}) };
  const models = new Map<string, AvailableModel>();
  let url: string | undefined = listing.url;
  for (let count = 0; url !== undefined && count < maximumPages; count += 1) {
    const response = await clean(url, { headers, signal });
    const text = await readText(response);
    if (!response.ok) throw refusedCall(url, {}, response, text);
    const page = parsedJson(text);
    if (!Check(listing.page, page)) {
      throw new InvalidResponseDataError({ data: undefined, message: 'The response contains no list of models' });
    }
    for (const model of listing.modelsOf(page))
      if (model.id !== '' && !models.has(model.id)) models.set(model.id, model);
    url = listing.nextPage?.(page);
  }
  return [...models.values()];
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const bytes of response.body ?? []) {
    size += bytes.byteLength;
    if (size > maximumListBytes) {
      throw new InvalidResponseDataError({ data: undefined, message: 'The list of models is too long' });
    }
    text += decoder.decode(bytes, { stream: true });
  }
  return text;
}

const OpenAiList = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      type: Type.Optional(Type.Unknown()),
      capabilities: Type.Optional(Type.Unknown()),
    }),
  ),
});

/** Model kinds by their names in services. */
const kindsByType: Record<string, ModelKind> = {
  chat: 'llm',
  language: 'llm',
  llm: 'llm',
  embedding: 'text-embedding',
  embeddings: 'text-embedding',
  rerank: 'rerank',
};

/** The list format of OpenAI, which most services share, at `GET {base_url}/models`. */
export function openAiListing(address: string): ModelListing<typeof OpenAiList> {
  return {
    url: `${address}/models`,
    headers: bearerHeaders,
    page: OpenAiList,
    modelsOf: ({ data }) =>
      data.map(({ id, type, capabilities }) => {
        const chats = (capabilities as { completion_chat?: unknown } | null | undefined)?.completion_chat === true;
        const kind = chats ? 'llm' : kindsByType[String(type).toLowerCase()];
        return { id, ...(kind === undefined ? {} : { kinds: [kind] }) };
      }),
  };
}
