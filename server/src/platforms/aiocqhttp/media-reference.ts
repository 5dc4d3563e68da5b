import type { MediaReference } from '@parley/sdk';
import { type Fields, idOf, numberOf, textOf } from './fields.ts';

export type MediaKind = 'image' | 'record' | 'video' | 'file';

/** What is stored of a file until it is fetched. */
export interface StoredReference {
  kind: MediaKind;
  /** The client's names of it; empty if none. */
  file: string;
  file_id: string;
  busid: string;
  /** Where QQ has it, for a limited time; empty if unknown. */
  url: string;
  /** The group that it was sent to; null for a private chat. */
  group_id: string | null;
}

const extensions: Record<MediaKind, string> = { image: 'jpg', record: 'amr', video: 'mp4', file: 'bin' };

/** Names a file of a message, and says where it is. */
export function mediaReference(
  kind: MediaKind,
  data: Fields,
  { group_id, number }: { group_id: string | null; number: number },
): MediaReference {
  const file = namePart(data.file);
  const [file_id, busid] = [textOf(data.file_id ?? data.id), textOf(data.busid)];
  const url = [data.url, data.file].map(textOf).find((text) => /^https?:\/\//i.test(text)) ?? '';
  const name = namePart(data.name) || namePart(data.file_name) || file || `${kind}-${number}.${extensions[kind]}`;
  const value: StoredReference = { kind, file, file_id, busid, url, group_id };
  return { id: `${number}:${idOf(file_id) ?? idOf(file) ?? kind}`, name, value };
}

/** The part of a name that is no address and no content. */
function namePart(value: unknown): string {
  const text = textOf(value);
  return /^(base64|https?|file):/i.test(text) ? '' : text.slice(0, 255);
}

/** Bytes; null if the client does not tell. */
export function sizeOf(data: Fields): number | null {
  const size = numberOf(data.file_size ?? data.size);
  return size !== null && Number.isSafeInteger(size) && size >= 0 ? size : null;
}
