/** What the launcher is told, as JSON. */
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
  kept: string;
}

/**
 * What keeps a program from the data of the service: `landlock`, the kernel hides the data folder from it; `none`, it can
 * read and write what the user of the service can.
 */
export type Protection = 'landlock' | 'none';

/** What the launcher tells before it becomes the program, as JSON. */
export interface LaunchReport {
  protection: Protection;
}
