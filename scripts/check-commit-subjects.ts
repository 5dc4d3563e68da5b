import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The last commit of before there was a rule; those that come after it are checked. */
const lastUnchecked = '48cbe7bd49a4cbf8bb27eac48017a6cfdcef6c4d';

/** The longest subject that `git log --oneline` shows whole on 80 columns. */
const longestSubject = 72;

/** What is wrong with the subject of a commit. */
export function subjectFaults(subject: string): string[] {
  const faults: string[] = [];
  const { length } = [...subject];
  if (length > longestSubject) faults.push(`has ${length} characters, at most ${longestSubject} are allowed`);
  if (subject.endsWith('.')) faults.push('ends with a full stop');
  return faults;
}

/**
 * One line for each fault in the subjects of the commits after one, the newest first.
 * @returns null when the folder does not hold the history back to that commit
 */
export function commitFaults(folder: string, after: string): string[] | null {
  const log = spawnSync('git', ['log', '--format=%h %s', `${after}..HEAD`], { cwd: folder, encoding: 'utf8' });
  if (log.status !== 0) return null;
  return log.stdout
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const subject = line.slice(line.indexOf(' ') + 1);
      return subjectFaults(subject).map((fault) => `${line}: ${fault}`);
    });
}

if (import.meta.main) {
  const faults = commitFaults(fileURLToPath(new URL('..', import.meta.url)), lastUnchecked);
  if (faults === null) console.log('The subjects of commits are not checked: the history is not here.');
  else for (const fault of faults) console.error(fault);
  process.exitCode = faults === null || faults.length === 0 ? 0 : 1;
}
