import { readXml } from './xml-reader.ts';
import type { ZipEntries } from './zip-entries.ts';

/**
 * The title in the metadata of an office document.
 * @returns null when it has none, or a generated one
 */
export async function officeTitle(parts: ZipEntries): Promise<string | null> {
  const entry = parts.find('docProps/core.xml');
  if (entry === undefined) return null;
  let title = '';
  let isTitle = false;
  try {
    readXml(await entry.read(), {
      open: ({ name }) => {
        isTitle = name === 'title';
      },
      text: (text) => {
        if (isTitle) title += text;
      },
      close: () => {
        isTitle = false;
      },
    });
  } catch {
    // The document itself may be whole.
    return null;
  }
  const isOfProgram = /^(?:microsoft (?:word|powerpoint|excel)\b|powerpoint presentation$|untitled$)/i.test(
    title.trim(),
  );
  return title.trim() === '' || isOfProgram ? null : title.trim();
}
