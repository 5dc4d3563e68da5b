import type { Segment } from './segment.ts';

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&#91;': '[', '&#93;': ']', '&#44;': ',' };

/**
 * Reads a message that is written as text with codes, such as `[CQ:at,qq=10001] hello`.
 * @see https://github.com/botuniverse/onebot-11/blob/master/message/string.md
 */
export function readCqText(text: string): Segment[] {
  const segments: Segment[] = [];
  const addText = (from: number, to: number) => {
    if (to > from) segments.push({ type: 'text', data: { text: unescaped(text.slice(from, to)) } });
  };
  let end = 0;
  for (let start = text.indexOf('[CQ:'); start >= 0; start = text.indexOf('[CQ:', end)) {
    const close = text.indexOf(']', start);
    if (close < 0) break;
    addText(end, start);
    segments.push(codeOf(text.slice(start + '[CQ:'.length, close)));
    end = close + 1;
  }
  addText(end, text.length);
  return segments;
}

/** @param code such as `image,file=1.jpg` */
function codeOf(code: string): Segment {
  const [type = '', ...parameters] = code.split(',');
  const data = parameters.map((parameter): [string, string] => {
    const at = parameter.indexOf('=');
    return at < 0 ? [parameter, ''] : [parameter.slice(0, at), unescaped(parameter.slice(at + 1))];
  });
  return { type: type.trim(), data: Object.fromEntries(data) };
}

function unescaped(text: string): string {
  return text.replace(/&amp;|&#91;|&#93;|&#44;/g, (entity) => entities[entity] ?? entity);
}
