/** URL of the server, without a trailing slash. The server writes its base path into the document's `<base>`. */
export const serverAddress = new URL('.', document.baseURI).href.replace(/\/$/, '');

/** The same as a path, for the router: `/` or `/parley`. */
export const basePath = new URL(serverAddress).pathname;

/** The URL of a websocket route. */
export function socketAddress(path: string): string {
  return serverAddress.replace(/^http/, 'ws') + path;
}
