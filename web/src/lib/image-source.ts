/** Where the image of a message is. Only one that is here may be shown without anybody asking for it. */
export type ImageSource = { place: 'here'; address: string } | { place: 'elsewhere'; address: string; host: string };

/** The one route whose images messages name; everything else on this server is no image of a message. */
const imagePath = '/api/v1/files/image/';

/**
 * Where an image is by its address: in the address itself, among the files of the server, or elsewhere on the web. Null
 * when it can be none of these.
 * @param server address of the server, without a slash at the end
 */
export function imageSource(address: string, server: string): ImageSource | null {
  if (/^data:image\//i.test(address)) return { place: 'here', address };
  if (!/^(https?:\/)?\//i.test(address) || !URL.canParse(address, server)) return null;
  const { href, host } = new URL(address, server);
  if (href.startsWith(server + imagePath)) return { place: 'here', address: href };
  return /^https?:\/\//i.test(address) ? { place: 'elsewhere', address: href, host } : null;
}
