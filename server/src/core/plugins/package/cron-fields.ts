const fields = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of the month', least: 1, most: 31 },
  { name: 'month', least: 1, most: 12 },
  { name: 'day of the week', least: 0, most: 7 },
] as const;

/** Why a cron expression is refused; null for a good one. It has the part of the syntax that all programs agree on. */
export function cronFault(expression: string): string | null {
  const texts = expression.split(' ');
  if (texts.length !== fields.length) return 'must have five fields with one space between them';
  const wrong = fields.find((field, index) => !(texts[index] ?? '').split(',').every((part) => isPart(part, field)));
  return wrong === undefined ? null : `has a ${wrong.name} that is not of numbers from ${wrong.least} to ${wrong.most}`;
}

function isPart(part: string, { least, most }: (typeof fields)[number]): boolean {
  const found = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part);
  if (found === null) return false;
  const [, first, last, step] = found;
  // A step needs a range, since programs differ in what it means behind one number.
  if (step !== undefined && (Number(step) < 1 || (first !== undefined && last === undefined))) return false;
  if (first === undefined) return true;
  return Number(first) >= least && Number(last ?? first) <= most && Number(first) <= Number(last ?? first);
}
