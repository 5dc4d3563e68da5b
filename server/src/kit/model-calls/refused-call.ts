import { APICallError } from '@ai-sdk/provider';

/** The error of a call that a provider refused, as the AI SDK has it, with what the provider says of it. */
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

/** What a text says as JSON; undefined when it says nothing. */
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
