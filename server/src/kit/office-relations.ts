import { posix } from 'node:path';
import { attributeOf, readXml, type XmlElement } from './xml-reader.ts';
import type { ZipEntries } from './zip-entries.ts';

/** A reference of a part of an office document. */
export interface OfficeRelation {
  /** A URI whose end is the type, like `/slide`. */
  type: string;
  /** Within the archive. */
  path: string;
}

/** By the id that the part names it with. Nothing outside of the document is among them. */
export async function relationsOf(parts: ZipEntries, path: string): Promise<Map<string, OfficeRelation>> {
  const folder = posix.dirname(path);
  const entry = parts.find(posix.join(folder, '_rels', `${posix.basename(path)}.rels`));
  const relations = new Map<string, OfficeRelation>();
  if (entry === undefined) return relations;
  readXml(await entry.read(), {
    open: (element) => {
      if (element.name !== 'Relationship' || attributeOf(element, 'TargetMode') === 'External') return;
      const target = attributeOf(element, 'Target') ?? '';
      const full = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
      relations.set(attributeOf(element, 'Id') ?? '', { type: attributeOf(element, 'Type') ?? '', path: full });
    },
  });
  return relations;
}

/** The part that all others hang on; null when the archive names none. */
export async function mainPartOf(parts: ZipEntries): Promise<string | null> {
  for (const { type, path } of (await relationsOf(parts, '')).values())
    if (type.endsWith('/officeDocument')) return path;
  return null;
}

/** The id of the relation that an element names, whatever the prefix of its namespace is. */
export function relationIdOf({ attributes }: XmlElement): string {
  const key = Object.keys(attributes).find((name) => name.endsWith(':id'));
  return (key === undefined ? undefined : attributes[key]) ?? '';
}
