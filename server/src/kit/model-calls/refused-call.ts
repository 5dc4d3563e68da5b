import { APICallError } from '@ai-sdk/provider';

/** The AI SDK's error of a call that a provider refused, with the provider's message. */
export function refusedCall(url: string, body: object, response: Response, text: string): APICallError {
  return new APICallError({
    message: messageIn(parsedJson(text)) ?? response.statusText,
    url,
    requestBodyValues: body,
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    responseBody: text,
  });
}

/** Parses JSON; undefined when invalid. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function messageIn(answer: unknown): string | undefined {
  const said = answer as { error?: { message?: unknown } | string; message?: unknown } | undefined | null;
  const inner = typeof said?.error === 'string' ? said.error : said?.error?.message;
  const message = inner ?? said?.message;
  return typeof message === 'string' && message !== '' ? message : undefined;
}
