/** More of an error than anyone reads, bytes. */
const maximumErrorBytes = 65_536;

/**
 * Wraps a `fetch` so that the body of a refusal is short and does not hold the key, which some services repeat in their
 * error messages. Answers pass through untouched.
 */
export function fetchWithoutKeyInErrors(inner: typeof fetch, key: string | null): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    if (response.ok) return response;
    const text = await readStart(response);
    const clean = key ? text.replaceAll(key, '[key]') : text;
    // The length and the encoding described the body that was replaced.
    const headers = new Headers(response.headers);
    headers.delete('content-length');
    headers.delete('content-encoding');
    return new Response(clean === '' ? null : clean, {
      status: response.status,
      statusText: response.statusText,
      headers,
    });
  };
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
