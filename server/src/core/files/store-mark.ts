/** Name of the mark, a file or an object beside the files. */
export const markName = 'installation';

/** A place for files that says which installation they belong to. */
export interface MarkedStore {
  /** The place in words, as in "… is empty". */
  readonly place: string;
  /** The id in the mark; null without a mark. */
  installation(): Promise<string | null>;
  /** Sets the mark. */
  mark(installation: string): Promise<void>;
  /** Whether a file is there. */
  has(key: string): Promise<boolean>;
}

/** What the place is compared with. */
export interface MarkedFiles {
  /** The id of this installation. */
  installation: string;
  /** Keys of some files that the database has and that must be there. */
  recorded: readonly string[];
  /** Whether no other installation can have the place: it is beside the only database that can name its files. */
  isOwn: boolean;
  /** Name of the setting for another place. */
  setting: string;
}

/**
 * Refuses a place that does not hold the files of this installation: a folder that is not mounted, another bucket. Replicas
 * with different places would each have a part of the files.
 *
 * A place without a mark is taken, and marked, when the database has no file, or has one that is there, as in an installation that
 * is older than the mark. One with the mark of another is taken only if it is the own one and the database has no file.
 *
 * @throws Error with a message for the operator
 */
export async function checkStoreMark(
  store: MarkedStore,
  { installation, recorded, isOwn, setting }: MarkedFiles,
): Promise<void> {
  const found = await store.installation();
  if (found === installation) return;
  const isNew = recorded.length === 0;
  if (found !== null && !(isOwn && isNew)) {
    throw new Error(
      `The files in ${store.place} belong to another installation: the mark "${markName}" there is ${found}, and the ` +
        `database has the id ${installation}. Check ${setting} and PARLEY_DATABASE_URL. If those files are not needed any ` +
        'more, delete them with the mark and start again.',
    );
  }
  if (!isNew && !(await hasAny(store, recorded))) {
    throw new Error(
      `The files of this installation are not in ${store.place}: there is no mark "${markName}" and none of the latest ` +
        `files that the database has. Check whether the place is mounted, and ${setting}; every replica needs the same. ` +
        `To go on without those files, create "${markName}" there with the content ${installation}.`,
    );
  }
  await store.mark(installation);
  // Two new installations that start with one place at the same time.
  const marked = await store.installation();
  if (marked !== installation) {
    throw new Error(`Another installation has taken ${store.place} at the same time. Choose another ${setting}.`);
  }
}

async function hasAny(store: MarkedStore, keys: readonly string[]): Promise<boolean> {
  for (const key of keys) if (await store.has(key)) return true;
  return false;
}
