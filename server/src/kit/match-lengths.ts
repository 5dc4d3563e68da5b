import type { RE2JS } from 're2js';

/** How long the matches of a pattern can be, in characters. */
export interface MatchLengths {
  /** Null when every match exceeds the bound. */
  shortest: number | null;
  /** Null when there are matches that exceed the bound. */
  longest: number | null;
  /** Whether matches depend on adjacent text, as with `\b`, `^` and `$`. */
  looksAround: boolean;
}

/** One instruction of a compiled pattern; only the fields used here. */
interface Instruction {
  op: number;
  out: number;
  arg: number;
}

const branch = 1;
const branchToMatch = 2;
const capture = 3;
const emptyWidth = 4;
const fail = 5;
const match = 6;
const nothing = 7;
/** From here on an instruction reads one character. */
const firstRune = 8;
const lastRune = 11;

/**
 * Simulates the program of a pattern for any input, one character at a time, until its longest match or for `bound`
 * characters.
 */
export function matchLengths(pattern: RE2JS, bound: number): MatchLengths {
  const { inst, start } = pattern.re2Input.prog as { inst: Instruction[]; start: number };
  const lengths: MatchLengths = { shortest: null, longest: null, looksAround: false };
  let states = [start];
  for (let read = 0; states.length > 0; read += 1) {
    if (read > bound) return { ...lengths, longest: null };
    const found = follow(inst, states);
    lengths.looksAround ||= found.looksAround;
    if (found.isMatch) {
      lengths.shortest ??= read;
      lengths.longest = read;
    }
    states = found.next;
  }
  return lengths;
}

/** The instructions reachable without a character, and the states after one. */
function follow(inst: readonly Instruction[], states: readonly number[]) {
  const found = { isMatch: false, looksAround: false, next: [] as number[] };
  const seen = new Set(states);
  const next = new Set<number>();
  const pending = [...states];
  const reach = (state: number) => {
    if (seen.has(state)) return;
    seen.add(state);
    pending.push(state);
  };
  for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
    const { op, out, arg } = inst[state] as Instruction;
    if (op === match) found.isMatch = true;
    else if (op >= firstRune && op <= lastRune) next.add(out);
    else if (op === branch || op === branchToMatch) {
      reach(out);
      reach(arg);
    } else if (op === emptyWidth) {
      found.looksAround = true;
      reach(out);
    } else if (op === capture || op === nothing) reach(out);
    else if (op !== fail) throw new Error(`the pattern has an instruction ${op} that is not known here`);
  }
  found.next = [...next];
  return found;
}
