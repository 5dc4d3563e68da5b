import { matchesGlob } from 'node:path';

/** What a Dockerfile says. */
export interface ImageFile {
  /** What its stages are built from. */
  bases: string[];
  /** Variables of the last stage. */
  environment: Record<string, string>;
  /** Commands of all stages, in order. */
  runs: string[];
  /** Of the last stage: whom it runs as, and the program with its arguments. */
  user: string;
  command: string[];
  healthCommand: string[];
}

export function readImageFile(text: string): ImageFile {
  const file: ImageFile = { bases: [], environment: {}, runs: [], user: 'root', command: [], healthCommand: [] };
  const lines = text.replace(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
  for (const line of lines.split('\n').filter((one) => one !== '')) {
    const [instruction = ''] = line.split(' ', 1);
    const rest = line.slice(instruction.length + 1);
    // The exec form is JSON.
    const program = () => JSON.parse(rest.slice(rest.indexOf('['))) as string[];
    if (instruction === 'FROM') {
      file.bases.push(rest.split(' ')[0] ?? '');
      Object.assign(file, { environment: {}, user: 'root', command: [], healthCommand: [] });
    }
    if (instruction === 'ENV') {
      for (const [, name = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) file.environment[name] = value;
    }
    if (instruction === 'RUN') file.runs.push(rest);
    if (instruction === 'USER') file.user = rest;
    if (instruction === 'CMD') file.command = program();
    if (instruction === 'HEALTHCHECK') file.healthCommand = program();
  }
  return file;
}

/** Whether a path is part of the build: the last line of a `.dockerignore` that matches it, or a folder of it, decides. */
export function isInContext(path: string, ignored: string): boolean {
  const lines = ignored.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  // Wildcards of Docker match names that start with a dot as well.
  const withoutDots = path.replaceAll(/(^|\/)\./g, '$1_');
  const last = lines.findLast((line) => {
    const pattern = line.replace(/^!/, '');
    return matchesGlob(withoutDots, pattern) || matchesGlob(withoutDots, `${pattern}/**`);
  });
  return last === undefined || last.startsWith('!');
}
