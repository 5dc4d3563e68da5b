/** What a benchmark found out; the unit of a figure is the end of its name. */
export type Figures = Record<string, number | number[] | boolean | null>;

/** One thing that is measured against the service in a process of its own. */
export interface Benchmark<Argument extends string = string> {
  /** One sentence for the list of benchmarks. */
  summary: string;
  /** Arguments with the value each has when it is not given. */
  defaults: Record<Argument, number>;
  run(numbers: Record<Argument, number>): Promise<Figures>;
}
