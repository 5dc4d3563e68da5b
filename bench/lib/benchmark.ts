/** What a benchmark found out; the unit of a figure is the end of its name. */
export interface Figures {
  [name: string]: number | number[] | boolean | string | null | Figures;
}

/** One thing that is measured against the service in a process of its own. */
export interface Benchmark<
  Argument extends string = string,
  Choice extends string = string,
  Folder extends string = string,
> {
  /** Name of an argument that stands by itself: a folder, say. It is needed unless there is a default. */
  place?: string;
  defaultPlace?: string;
  /** More than one may be given for it. */
  severalPlaces?: boolean;
  /** One sentence for the list of benchmarks. */
  summary: string;
  /** Arguments with the value each has when it is not given. */
  defaults: Record<Argument, number>;
  /** Arguments that are words: those that may be given. The first one stands when none is. */
  choices?: Record<Choice, readonly [string, ...string[]]>;
  /** Arguments that are folders, such as that of another checkout. Absolute; empty when not given. */
  folders?: readonly Folder[];
  /**
   * @param place what was given for it; empty for a benchmark without
   * @param more what else was given where several are allowed
   */
  run(
    numbers: Record<Argument, number>,
    chosen: Record<Choice | Folder, string>,
    place: string,
    ...more: string[]
  ): Promise<Figures>;
}
