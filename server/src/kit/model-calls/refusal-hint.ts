import type { Hint } from '@parley/sdk';

/** A call that a provider refused. */
export interface RefusedCall {
  url: string;
  /** Null for providers without one. */
  key: string | null;
  status: number;
  /** The start of the response. */
  body: string;
  contentType: string;
}

/** Paths of requests below a base URL. Longer ones first. */
const requestPath = /\/(?:chat\/completions|completions|embeddings|responses|rerank|models|messages)$/;
/** A version in a path: `/v1`, `/v1beta`, `/compatible-mode/v1`. */
const version = /\/v\d+(?:(?:alpha|beta)\d*)?(?:\/|$)/;

/** Prefixes of keys by which their provider is known, and its hosts. */
const keyKinds: readonly { prefix: RegExp; provider: string; host: RegExp }[] = [
  { prefix: /^sk-ant-/, provider: 'Anthropic', host: /(?:^|\.)anthropic\.com$/ },
  { prefix: /^sk-or-/, provider: 'OpenRouter', host: /(?:^|\.)openrouter\.ai$/ },
  { prefix: /^sk-(?:proj|svcacct|admin)-/, provider: 'OpenAI', host: /(?:^|\.)openai\.com$/ },
  { prefix: /^AIza/, provider: 'Google', host: /(?:^|\.)googleapis\.com$/ },
  { prefix: /^gsk_/, provider: 'Groq', host: /(?:^|\.)groq\.com$/ },
  { prefix: /^xai-/, provider: 'xAI', host: /(?:^|\.)x\.ai$/ },
  { prefix: /^pplx-/, provider: 'Perplexity', host: /(?:^|\.)perplexity\.ai$/ },
  { prefix: /^hf_/, provider: 'Hugging Face', host: /(?:^|\.)huggingface\.co$/ },
  { prefix: /^nvapi-/, provider: 'NVIDIA', host: /(?:^|\.)nvidia\.com$/ },
  { prefix: /^jina_/, provider: 'Jina AI', host: /(?:^|\.)jina\.ai$/ },
  { prefix: /^lbk_/, provider: 'Parley', host: /^$/ },
];

/** The cause of a refusal, where the address or the key shows it. */
export function refusalHint(call: RefusedCall): Hint | null {
  const { status } = call;
  if (status === 401 || status === 403) return keyHint(call);
  if (status === 400 || status === 404 || status === 405) return addressHint(call);
  return null;
}

/** Whether a response is a page for browsers. */
export function isWebPage({ body, contentType }: Pick<RefusedCall, 'body' | 'contentType'>): boolean {
  return /^text\/html\b/i.test(contentType) || /^\s*<(?:!doctype html|html)\b/i.test(body);
}

function keyHint({ url, key, status }: RefusedCall): Hint | null {
  if (!key) return status === 401 ? hint('key_missing') : null;
  const host = URL.parse(url)?.hostname ?? '';
  const kind = keyKinds.find(({ prefix }) => prefix.test(key));
  if (kind === undefined || kind.host.test(host)) return null;
  return hint('key_of_other_provider', { provider: kind.provider });
}

function addressHint(call: RefusedCall): Hint | null {
  const address = URL.parse(call.url);
  if (address === null) return null;
  const base = `${address.origin}${address.pathname.replace(requestPath, '')}`;
  const isOfApi = base !== `${address.origin}${address.pathname}`;
  const repeated = base.replace(requestPath, '');
  if (isOfApi && repeated !== base) return hint('base_url_path', { url: repeated });
  // Only a missing path is about the address: a refusal in the format of the API may have any cause.
  if (isOfApi && !version.test(address.pathname) && call.status !== 400) {
    return hint('base_url_version', { url: `${base.replace(/\/+$/, '')}/v1` });
  }
  return isWebPage(call) ? hint('not_an_api') : null;
}

function hint(code: Hint['code'], parameters: Hint['parameters'] = {}): Hint {
  return { code, parameters };
}
