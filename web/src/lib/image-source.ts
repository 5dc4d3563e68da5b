/** Location of a message image. Only local images are loaded without a user action. */
export type ImageSource = { place: 'here'; address: string } | { place: 'elsewhere'; address: string; host: string };

/** The only route with images of messages. */
const imagePath = '/api/v1/files/image/';

/**
 * Location of an image: inline in the URL, a file of the server, or external. Null for anything else.
 * @param server address of the server, without a trailing slash
 */
export function imageSource(address: string, server: string): ImageSource | null {
  if (/^data:image\//i.test(address)) return { place: 'here', address };
  if (!/^(https?:\/)?\//i.test(address) || !URL.canParse(address, server)) return null;
  const { href, host } = new URL(address, server);
  if (href.startsWith(server + imagePath)) return { place: 'here', address: href };
  return /^https?:\/\//i.test(address) ? { place: 'elsewhere', address: href, host } : null;
}
