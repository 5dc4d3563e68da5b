import type { FastifyRequest } from 'fastify';
import { ownSources } from '../../own-sources.ts';

/** The files of pages are below it, each under the token of a frame. */
export const pluginPagesPath = '/plugin-pages';

/** Files that a page may consist of; others are downloads, which frames cannot make. */
const mediaTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  ico: 'image/x-icon',
  woff: 'font/woff',
  woff2: 'font/woff2',
};

/** What a document may use of the browser: nothing, also where it is not in our frame. */
const permissions = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'clipboard-read',
  'clipboard-write',
  'compute-pressure',
  'cross-origin-isolated',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'keyboard-map',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'otp-credentials',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'sync-xhr',
  'usb',
  'window-management',
  'xr-spatial-tracking',
]
  .map((name) => `${name}=()`)
  .join(', ');

/**
 * Headers of a file of a page. Its document has an origin of its own, without access to anything of this server, and loads
 * nothing but the files of its page; scripts that are written into the document do not run.
 * @param address of the folder of the page, and the address that it is also known under
 */
export function pageFileHeaders(
  request: Pick<FastifyRequest, 'host'>,
  file: string,
  { publicUrl, folder }: { publicUrl: string | null; folder: `${string}/` },
): Record<string, string> {
  const own = ownSources(request, publicUrl, folder);
  const extension = file.slice(file.lastIndexOf('.') + 1).toLowerCase();
  return {
    'content-type': Object.hasOwn(mediaTypes, extension) ? (mediaTypes[extension] ?? '') : 'application/octet-stream',
    'content-security-policy': [
      'sandbox allow-scripts',
      "default-src 'none'",
      `script-src ${own}`,
      `style-src ${own} 'unsafe-inline'`,
      `img-src ${own} data:`,
      `font-src ${own}`,
      "connect-src 'none'",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'self'",
      // For browsers that know it; the others can be made to send packets elsewhere.
      "webrtc 'block'",
    ].join('; '),
    'permissions-policy': permissions,
    'x-frame-options': 'SAMEORIGIN',
    'x-dns-prefetch-control': 'off',
    // Modules and fonts are requested from the document's own origin, which is no address.
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-robots-tag': 'noindex, nofollow, noarchive',
  };
}
