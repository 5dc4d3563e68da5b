import { attributeOf, readXml, type XmlElement } from '../../kit/xml-reader.ts';

interface ParagraphStyle {
  name: string;
  basedOn: string | null;
  level: number | null;
}

/** The styles of a document that are headings by their level and not by their name, as lines of Mammoth's style map. */
export function headingStyles(styles: Uint8Array): string[] {
  const byId = readStyles(styles);
  const lines: string[] = [];
  for (const [id, { name }] of byId) {
    const level = levelOf(id, byId, new Set());
    if (level !== null && level < 6 && name !== '')
      lines.push(`p[style-name='${name.replace(/[\\']/g, '\\$&')}'] => h${level + 1}:fresh`);
  }
  return lines;
}

function readStyles(bytes: Uint8Array): Map<string, ParagraphStyle> {
  const styles = new Map<string, ParagraphStyle>();
  let style: ParagraphStyle | null = null;
  readXml(bytes, {
    open: (element: XmlElement) => {
      const value = attributeOf(element, 'val') ?? '';
      if (element.name === 'style') {
        style = attributeOf(element, 'type') === 'paragraph' ? { name: '', basedOn: null, level: null } : null;
        if (style !== null) styles.set(attributeOf(element, 'styleId') ?? '', style);
      } else if (style === null) return;
      else if (element.name === 'name') style.name = value;
      else if (element.name === 'basedOn') style.basedOn = value;
      else if (element.name === 'outlineLvl') style.level = /^\d$/.test(value) ? Number(value) : null;
    },
    close: (name) => {
      if (name === 'style') style = null;
    },
  });
  return styles;
}

/** From 0; 9 is body text. A style inherits from the one it is based on. */
function levelOf(id: string, styles: ReadonlyMap<string, ParagraphStyle>, seen: Set<string>): number | null {
  const style = styles.get(id);
  if (style === undefined || seen.has(id)) return null;
  if (style.level !== null) return style.level;
  return style.basedOn === null ? null : levelOf(style.basedOn, styles, seen.add(id));
}
