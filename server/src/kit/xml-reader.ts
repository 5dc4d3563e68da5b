import { SaxesParser, type SaxesTagPlain } from 'saxes';

export interface XmlElement {
  /** Without the prefix of its namespace. */
  name: string;
  /** With their prefixes, as they are written. */
  attributes: Readonly<Record<string, string>>;
}

export interface XmlHandlers {
  open?(element: XmlElement): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Elements that lie in each other deeper than this are in no document that a program wrote. */
const deepest = 2000;

/**
 * Reads XML from its start to its end, without keeping any of it. Entities that a document declares are not known, so
 * that none can unfold into millions.
 * @throws Error where it is not well-formed
 */
export function readXml(bytes: Uint8Array, { open, text, close }: XmlHandlers): void {
  const parser = new SaxesParser();
  let depth = 0;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag: SaxesTagPlain) => {
    depth += 1;
    if (depth > deepest) throw new Error('The elements are nested too deeply.');
    open?.({ name: localName(tag.name), attributes: tag.attributes });
  });
  parser.on('closetag', (tag: SaxesTagPlain) => {
    depth -= 1;
    close?.(localName(tag.name));
  });
  parser.on('text', (part) => text?.(part));
  parser.on('cdata', (part) => text?.(part));
  parser.write(decodeXml(bytes)).close();
}

/** An attribute by its name without the prefix, as programs choose prefixes freely. */
export function attributeOf({ attributes }: XmlElement, name: string): string | undefined {
  const found = attributes[name];
  if (found !== undefined) return found;
  const prefixed = Object.keys(attributes).find((key) => localName(key) === name && !key.startsWith('xmlns'));
  return prefixed === undefined ? undefined : attributes[prefixed];
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The text of an XML file, in its declared encoding, else UTF-8. */
export function decodeXml(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const encoding = /^(?:ï»¿)?<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)/.exec(start)?.[1] ?? 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}
