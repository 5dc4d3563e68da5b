/** Code, in which nothing is math: fenced, also while the fence is open, and inline. */
const code = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]+`)/;

/** Lengths are limited, so that long texts take no long time. `\[…\]` and `\(…\)` of LaTeX. */
const displayed = /\\\[([\s\S]{1,1000}?)\\\]/g;
const inline = /\\\((.{1,500}?)\\\)/g;
/** `$…$` with nothing blank inside the signs and no digit behind, so that amounts of money are none. */
const dollars = /(?<![\\$\w])\$(?![\s$])([^$\n]{0,500}[^\s$\\])\$(?![\d$])/g;

/**
 * Writes math of all notations as `$$…$$`.
 * @param markdown as a model writes it
 * @returns null if it has no math
 */
export function withMath(markdown: string): string | null {
  let hasMath = false;
  const found = (written: string) => {
    hasMath = true;
    return written;
  };
  const parts = markdown.split(code).map((part, index) => {
    if (index % 2 === 1) return part;
    if (/\$\$[\s\S]{1,1000}?\$\$/.test(part)) hasMath = true;
    return part
      .replace(displayed, (_, math: string) => found(`\n$$\n${math.trim()}\n$$\n`))
      .replace(inline, (_, math: string) => found(`$$${math.trim()}$$`))
      .replace(dollars, (_, math: string) => found(`$$${math}$$`));
  });
  return hasMath ? parts.join('') : null;
}
