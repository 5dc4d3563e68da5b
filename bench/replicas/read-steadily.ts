import { request } from 'node:http';
import { openLoop } from '../lib/open-loop.ts';

/** @returns the status, or what went wrong */
async function read(url: string, headers: Record<string, string>): Promise<number | string> {
  return await new Promise((resolve) => {
    // A connection each, so that none is closed by the other side just before it is used.
    const sent = request(url, { headers, agent: false }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode ?? 0));
      answer.once('error', (error) => resolve(error.message));
    });
    sent.once('error', (error) => resolve(error.message));
    sent.end();
  });
}

/** Reads an address at a steady rate until the signal. @returns how many requests there were, and what those got that failed */
export async function readSteadily(
  url: string,
  { rate, headers, signal }: { rate: number; headers: Record<string, string>; signal: AbortSignal },
): Promise<{ requests: number; failed: string[] }> {
  const failed: string[] = [];
  const all: Promise<void>[] = [];
  const requests = await openLoop({ rate, seconds: 3600, signal }, () => {
    all.push(
      read(url, headers).then((status) => {
        if (status !== 200) failed.push(String(status));
      }),
    );
  });
  await Promise.all(all);
  return { requests, failed };
}
