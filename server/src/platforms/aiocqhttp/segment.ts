import type { Fields } from './fields.ts';

/** A part of a message, as the protocol writes it. @see https://github.com/botuniverse/onebot-11/blob/master/message/array.md */
export interface Segment {
  type: string;
  data: Fields;
}
