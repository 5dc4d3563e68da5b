import { useEffect, useRef, useState } from 'react';
import { tabItems } from '../../lib/tab-items.ts';
import { uploadAttachment } from '../../lib/uploads.ts';
import type { Attachment } from './conversation.ts';
import { isAttachment } from './kept-messages.ts';

/** Files of one message. */
export const maximumAttachments = 10;
/** The server refuses larger files. */
const maximumBytes = 10_485_760;

/** A file of a message that is being written. */
export interface PendingAttachment {
  id: number;
  name: string;
  /** Bytes. */
  size: number;
  /** Of the upload, from 0 to 1. */
  progress: number;
  /** Present when it is uploaded. */
  stored?: Attachment;
  /** Why it is not uploaded. */
  error?: 'too_large' | unknown;
}

let lastId = 0;

/**
 * The files of a message that is being written. Uploaded ones survive reloads.
 * @param storageKey of the text, see `tabItems`
 */
export function useAttachments(storageKey: string) {
  const key = `${storageKey}:files`;
  const [attachments, setAttachments] = useState<PendingAttachment[]>(() => kept(key));
  const [hasTooMany, setTooMany] = useState(false);
  const uploads = useRef(new Map<number, AbortController>());

  const shown = useRef(attachments);
  useEffect(() => {
    if (attachments === shown.current) return;
    shown.current = attachments;
    const stored = attachments.flatMap((one) => one.stored ?? []);
    if (stored.length === 0) tabItems.remove(key);
    else tabItems.write(key, stored);
  }, [attachments, key]);

  useEffect(
    () => () => {
      for (const controller of uploads.current.values()) controller.abort();
    },
    [],
  );

  useEffect(() => () => tabItems.release(key), [key]);

  const change = (id: number, fields: Partial<PendingAttachment>) =>
    setAttachments((all) => all.map((one) => (one.id === id ? { ...one, ...fields } : one)));

  const upload = async (id: number, file: File) => {
    const controller = new AbortController();
    uploads.current.set(id, controller);
    try {
      const progress = (part: number) => change(id, { progress: part });
      const stored = await uploadAttachment(file, { progress, signal: controller.signal });
      change(id, { stored, name: stored.name, progress: 1 });
    } catch (error) {
      if (!controller.signal.aborted) change(id, { error });
    } finally {
      uploads.current.delete(id);
    }
  };

  return {
    attachments,
    /** More files were chosen than a message may have. */
    hasTooMany,
    /** Whether all are uploaded. */
    isReady: attachments.every(({ stored }) => stored !== undefined),
    stored: attachments.flatMap((one) => one.stored ?? []),
    add(files: readonly File[]) {
      const taken = files.slice(0, Math.max(0, maximumAttachments - attachments.length));
      setTooMany(taken.length < files.length);
      for (const file of taken) {
        const id = ++lastId;
        const isTooLarge = file.size > maximumBytes;
        const added = { id, name: file.name, size: file.size, progress: 0, ...(isTooLarge && { error: 'too_large' }) };
        setAttachments((all) => [...all, added]);
        if (!isTooLarge) void upload(id, file);
      }
    },
    remove(id: number) {
      uploads.current.get(id)?.abort();
      setTooMany(false);
      setAttachments((all) => all.filter((one) => one.id !== id));
    },
    clear() {
      setTooMany(false);
      setAttachments([]);
    },
  };
}

function kept(key: string): PendingAttachment[] {
  const stored = tabItems.read(key);
  if (!Array.isArray(stored)) return [];
  return stored.filter(isAttachment).map((one) => {
    lastId += 1;
    return { id: lastId, name: one.name, size: one.size, progress: 1, stored: one };
  });
}
