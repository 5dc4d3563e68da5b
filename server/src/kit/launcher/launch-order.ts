/** The order to the launcher, as JSON. */
export interface LaunchOrder {
  /** Absolute path of the program. */
  file: string;
  /** The arguments, its name first. */
  args: string[];
  /** The whole environment of the program. */
  env: Record<string, string>;
  /** Folder that the program must not see, without symbolic links. */
  hidden: string;
  /** Folder in it that belongs to the program, without symbolic links. */
  visible: string;
}

/**
 * What protects the service's data from a program: `landlock`, the kernel hides the data folder; `none`, it has the
 * file access of the service's user.
 */
export type Protection = 'landlock' | 'none';

/** The report of the launcher before it executes the program, as JSON. */
export interface LaunchReport {
  protection: Protection;
}
