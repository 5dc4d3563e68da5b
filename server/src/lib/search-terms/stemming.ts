import snowball from 'snowball-stemmers';
import * as stopWords from 'stopword';

/** The same list as the contracts have. */
export type Language =
  | 'english'
  | 'german'
  | 'french'
  | 'spanish'
  | 'portuguese'
  | 'italian'
  | 'dutch'
  | 'swedish'
  | 'norwegian'
  | 'danish'
  | 'finnish'
  | 'russian'
  | 'turkish'
  | 'none';

/** What words of a language become in an index. */
export interface Stemming {
  /** The stem of a word in small letters; null for a word that says nothing, such as "the". */
  stem(word: string): string | null;
}

const commonWords: Record<Exclude<Language, 'none'>, readonly string[]> = {
  english: stopWords.eng,
  german: stopWords.deu,
  french: stopWords.fra,
  spanish: stopWords.spa,
  portuguese: stopWords.por,
  italian: stopWords.ita,
  dutch: stopWords.nld,
  swedish: stopWords.swe,
  norwegian: stopWords.nob,
  danish: stopWords.dan,
  finnish: stopWords.fin,
  russian: stopWords.rus,
  turkish: stopWords.tur,
};

/** Words whose stems are remembered for each language; then it begins anew. */
const rememberedWords = 20_000;
const marks = /\p{M}/gu;

const known = new Map<Language, Stemming>();

export function stemmingFor(language: Language): Stemming {
  let stemming = known.get(language);
  if (stemming === undefined) {
    stemming = language === 'none' ? { stem: withoutMarks } : snowballStemming(language);
    known.set(language, stemming);
  }
  return stemming;
}

function snowballStemming(language: Exclude<Language, 'none'>): Stemming {
  const stemmer = snowball.newStemmer(language);
  const common = new Set(commonWords[language].map((word) => word.toLowerCase().normalize('NFC')));
  const stems = new Map<string, string | null>();
  return {
    stem(word) {
      let stem = stems.get(word);
      if (stem === undefined) {
        stem = common.has(word) ? null : withoutMarks(stemmer.stem(word));
        if (stems.size >= rememberedWords) stems.clear();
        stems.set(word, stem);
      }
      return stem;
    },
  };
}

/** Accents help the stemmer, but people leave them out when they search. Other scripts' marks are letters. */
function withoutMarks(word: string): string {
  return /\p{Script=Latin}/u.test(word) ? word.normalize('NFD').replace(marks, '').normalize('NFC') : word;
}
