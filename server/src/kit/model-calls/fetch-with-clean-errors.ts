import { hintHeader, ParleyError } from '@parley/sdk';
import { isWebPage, refusalHint } from './refusal-hint.ts';

/** More of an error than anyone reads, bytes. */
const maximumErrorBytes = 65_536;

/**
 * Wraps a `fetch` so that the body of a refusal is short and does not hold the key, which some services repeat in their
 * error messages, and so that its cause is named where the address or the key shows it. Answers pass through untouched.
 * @throws ParleyError `provider_failed` from the returned function when the answer is a page for browsers
 */
export function fetchWithCleanErrors(inner: typeof fetch, key: string | null): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    const contentType = response.headers.get('content-type') ?? '';
    if (response.ok) return isWebPage({ contentType, body: '' }) ? refuse(response) : response;
    const text = await readStart(response);
    const body = key ? text.replaceAll(key, '[key]') : text;
    // The length and the encoding described the body that was replaced.
    const headers = new Headers(response.headers);
    for (const name of ['content-length', 'content-encoding', hintHeader]) headers.delete(name);
    const url = input instanceof Request ? input.url : String(input);
    const hint = refusalHint({ url, key, status: response.status, body, contentType });
    if (hint !== null) headers.set(hintHeader, asciiJson(hint));
    return new Response(body === '' ? null : body, {
      status: response.status,
      statusText: response.statusText,
      headers,
    });
  };
}

async function refuse(response: Response): Promise<never> {
  await response.body?.cancel();
  throw new ParleyError('provider_failed', 'The model provider answered with a web page.', {
    response: { status: response.status, text: '' },
    hint: { code: 'not_an_api', parameters: {} },
  });
}

/** Headers hold no other characters. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const bytes of response.body ?? []) {
    size += bytes.byteLength;
    text += decoder.decode(bytes, { stream: true });
    if (size >= maximumErrorBytes) break;
  }
  return text;
}
