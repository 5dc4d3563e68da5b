/** The accepted image types: those that every browser renders and that cannot contain a script. */
const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** Extension of a file's name, without the dot, for an image that may be shown; null for everything else. */
export function imageExtensionOf(mediaType: string): string | null {
  return Object.hasOwn(extensions, mediaType) ? (extensions[mediaType] ?? null) : null;
}
