/**
 * Fonts draw several characters with one glyph, and PDF files then often name the rarer one: a radical instead of the
 * identical character, or a presentation form of a letter. Users search for the common one.
 */
const forms = /[\u2f00-\u2fd5\uf900-\ufad9\ufb00-\ufb4f\ufb50-\ufdfb\ufe70-\ufefc]/g;

/** The radicals that Unicode leaves as they are, and the characters of the same form. */
const radicals = new Map(
  (
    '⺁厂 ⺈刀 ⺊卜 ⺌小 ⺍小 ⺎兀 ⺐尢 ⺓幺 ⺔彐 ⺛旡 ⺜日 ⺝月 ⺞歹 ⺟母 ⺠民 ⺤爪 ⺧牛 ⺩王 ⺫目 ⺬示 ⺮竹 ⺯糸 ⺱网 ⺶羊 ⺷羊 ⺸羊 ' +
    '⺻聿 ⺼肉 ⺽臼 ⻁虎 ⻄西 ⻅见 ⻆角 ⻇角 ⻉贝 ⻊足 ⻋车 ⻑長 ⻒镸 ⻓长 ⻔门 ⻗雨 ⻘青 ⻙韦 ⻚页 ⻛风 ⻜飞 ⻝食 ⻞食 ⻡首 ⻢马 ⻣骨 ⻤鬼 ' +
    '⻥鱼 ⻦鸟 ⻧卤 ⻨麦 ⻩黄 ⻪黾 ⻫斉 ⻬齐 ⻭歯 ⻮齿 ⻯竜 ⻰龙 ⻱龜 ⻲亀 ⻳龟'
  )
    .split(' ')
    .map(([radical = '', character = '']): [string, string] => [radical, character]),
);
const radical = new RegExp(`[${[...radicals.keys()].join('')}]`, 'g');

/** The same text in common characters. */
export function normalizeCharacters(text: string): string {
  return text
    .replace(forms, (form) => form.normalize('NFKC'))
    .replace(radical, (found) => radicals.get(found) ?? found);
}

/** Scripts that are written without spaces. */
const unspaced =
  /[\u2e80-\u2fdf\u3000-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]|\p{Script=Thai}/u;

/** Whether two parts of a text belong together without a space when a line ends between them. */
export function joinsWithoutSpace(before: string, after: string): boolean {
  return unspaced.test(before.at(-1) ?? '') && unspaced.test(after.at(0) ?? '');
}

export function isUnspaced(text: string): boolean {
  return unspaced.test(text);
}

export function isRightToLeft(text: string): boolean {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(text);
}

/** Characters without meaning: from a font without character names, or not decodable. */
export function unreadableCharacters(text: string): number {
  return text.match(/[\ufffd\ue000-\uf8ff]|[^\P{Cc}\s]/gu)?.length ?? 0;
}
