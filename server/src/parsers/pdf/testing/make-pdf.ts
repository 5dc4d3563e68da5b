/** A text fragment; `y` counts from the upper edge of the page. */
export interface PdfText {
  text: string;
  x: number;
  y: number;
  size?: number;
  bold?: boolean;
  /** Degrees against the clock. */
  turned?: number;
}

const height = 842;

/** A small PDF file: texts in Latin letters at their places, on pages of A4. */
export function makePdf(pages: readonly (readonly PdfText[])[], info: Record<string, string> = {}): Uint8Array {
  const objects: string[] = [];
  const add = (object: string): string => `${objects.push(object)} 0 R`;
  const font = (name: string) => add(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`);
  const fonts = `<< /F1 ${font('Helvetica')} /F2 ${font('Helvetica-Bold')} >>`;
  // The parent of the pages comes behind them.
  const parent = `${objects.length + pages.length * 2 + 1} 0 R`;
  const kids = pages.map((texts) => {
    const content = texts.map(command).join('\n');
    const stream = add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
    const box = `/MediaBox [0 0 595 ${height}] /Resources << /Font ${fonts} >>`;
    return add(`<< /Type /Page /Parent ${parent} ${box} /Contents ${stream} >>`);
  });
  const root = add(`<< /Type /Pages /Count ${pages.length} /Kids [${kids.join(' ')}] >>`);
  const catalog = add(`<< /Type /Catalog /Pages ${root} >>`);
  const entries = Object.entries(info).map(([key, value]) => `/${key} (${escaped(value)})`);
  const about = add(`<< ${entries.join(' ')} >>`);

  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root ${catalog} /Info ${about} >>`;
  return Buffer.from(`${file}${table}${trailer}\nstartxref\n${file.length}\n%%EOF\n`, 'latin1');
}

/** Lines one below the other, as programs write them. */
export function linesAt(x: number, y: number, lines: readonly string[], size = 10): PdfText[] {
  return lines.map((text, index) => ({ text, x, y: y + index * size * 1.2, size }));
}

function command({ text, x, y, size = 10, bold = false, turned = 0 }: PdfText): string {
  const [cos, sin] = [Math.cos, Math.sin].map((of) => of((turned * Math.PI) / 180).toFixed(4));
  const place = `${cos} ${sin} ${-Number(sin)} ${cos} ${x} ${height - y}`;
  return `BT /F${bold ? 2 : 1} ${size} Tf ${place} Tm (${escaped(text)}) Tj ET`;
}

function escaped(text: string): string {
  return text.replace(/[\\()]/g, (character) => `\\${character}`);
}
