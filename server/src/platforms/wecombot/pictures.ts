import { createHash } from 'node:crypto';

/** A picture at the end of a stream. */
export interface PictureItem {
  msgtype: 'image';
  image: { base64: string; md5: string };
}

/** The format of a picture as its content shows it; null for one that streams do not take. */
export function pictureType(bytes: Uint8Array): 'png' | 'jpeg' | null {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  if (start === '89504e47') return 'png';
  return start.startsWith('ffd8ff') ? 'jpeg' : null;
}

/** @see https://developer.work.weixin.qq.com/document/path/101031 */
export function pictureItem(bytes: Buffer): PictureItem {
  const md5 = createHash('md5').update(bytes).digest('hex');
  return { msgtype: 'image', image: { base64: bytes.toString('base64'), md5 } };
}
