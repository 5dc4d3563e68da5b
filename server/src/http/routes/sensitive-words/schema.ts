import { SensitiveWords, UpdateSensitiveWords } from '../../../core/sensitive-words/sensitive-words.ts';

export { SensitiveWords, UpdateSensitiveWords };
