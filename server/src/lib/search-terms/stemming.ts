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

/** Normalization of the words of a language for an index. */
export interface Stemming {
  /** The stem of a word in lower case; null for a stop word, such as "the". */
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

/** Cached stems per language; then the cache is cleared. */
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

/** Accents help the stemmer, but users omit them in queries. Marks of other scripts are letters. */
function withoutMarks(word: string): string {
  return /\p{Script=Latin}/u.test(word) ? word.normalize('NFD').replace(marks, '').normalize('NFC') : word;
}
