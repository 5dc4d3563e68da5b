import { run } from './run.ts';

const { argv, env, stdin, stdout, stderr } = process;

stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough, such as `head`, is no fault; a result that could not be written is one.
  if (error.code === 'EPIPE') return;
  stderr.write(`error: the result cannot be written: ${error.message}\n`);
  process.exit(1);
});

process.exitCode = await run(argv.slice(2), {
  environment: env,
  workingDirectory: process.cwd(),
  stdin,
  stdout,
  stderr,
});
