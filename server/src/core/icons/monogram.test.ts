import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { monogram } from './monogram.ts';

const shape =
  /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="64" height="64" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="hsl\((\d+),60%,28%\)"\/><text x="32" y="\d+" font-family="system-ui,sans-serif" font-size="\d+" font-weight="600" text-anchor="middle" fill="#fff">(\?|[\p{L}\p{N}]{1,2})<\/text><\/svg>$/u;

const parts = (label: string) => {
  const found = shape.exec(monogram(label));
  if (found === null) throw new Error(`not the shape: ${monogram(label)}`);
  return { hue: Number(found[1]), letters: found[2] };
};

describe('monogram', () => {
  it.each([
    ['OpenAI', 'OA'],
    ['LM Studio', 'LS'],
    ['Google Gemini Pro', 'GG'],
    ['302.AI', '3A'],
    ['ppio', 'P'],
    ['深度求索', '深'],
    ['ßeta', 'S'],
    ['e\u0301cole', 'É'],
    ['', '?'],
    [' -- 🔑 ', '?'],
    ['<script>alert(1)</script>', 'SA'],
    ['& " \' x', 'X'],
  ])('of %j shows %s', (label, letters) => {
    expect(parts(label).letters).toBe(letters);
  });

  it('holds nothing but letters and digits of any name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (label) => {
        expect(monogram(label)).toMatch(shape);
        expect(monogram(label)).toBe(monogram(label));
      }),
    );
  });

  it('gives different names different colours', () => {
    const hues = ['OpenAI', 'Gemini', 'DeepSeek', 'Moonshot', 'xAI', 'ZhipuAI'].map((label) => parts(label).hue);
    expect(new Set(hues).size).toBe(hues.length);
  });

  it('can be read at every hue', () => {
    for (let hue = 0; hue < 360; hue += 1) expect(contrastWithWhite(hue, 0.6, 0.28)).toBeGreaterThan(4.5);
  });
});

/** The contrast of white and a colour as WCAG 2 defines it. */
function contrastWithWhite(hue: number, saturation: number, lightness: number): number {
  const channel = (offset: number) => {
    const place = (offset + hue / 30) % 12;
    const spread = saturation * Math.min(lightness, 1 - lightness);
    const value = lightness - spread * Math.max(-1, Math.min(place - 3, 9 - place, 1));
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 1.05 / (0.2126 * channel(0) + 0.7152 * channel(8) + 0.0722 * channel(4) + 0.05);
}
