/** The order to the launcher, as JSON. */
export interface LaunchOrder {
  /** Absolute path of the program. */
  file: string;
  /** The arguments, its name first. */
  args: string[];
  /** The whole environment of the program. */
  env: Record<string, string>;
  rights: HiddenFolder | Confinement;
}

/** The program keeps the rights of the service's user, except for a folder. */
export interface HiddenFolder {
  /** Folder that the program must not see, without symbolic links. */
  hidden: string;
  /** Folder in it that belongs to the program, without symbolic links. */
  visible: string;
}

/** The program may do nothing but what is listed. */
export interface Confinement {
  /** Files, and folders with what is in them, that it may read. Absolute. */
  read: string[];
  /** Whether it is not started where the kernel cannot confine it. */
  isRequired: boolean;
  /** Memory beyond what Node.js reserves, bytes. */
  memoryBytes: number;
  /** Most files open at the same time. */
  openFiles: number;
}

/**
 * What protects the service's data from a program: `landlock`, the kernel; `none`, it has the file access of the service's
 * user.
 */
export type Protection = 'landlock' | 'none';

/** The report of the launcher before it executes the program, as JSON. */
export interface LaunchReport {
  protection: Protection;
}
