import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runsTried } from '../../../test/shared/looks-closely.ts';
import {
  askOverWire,
  type WireProtocol,
  type WireRecord,
  type WireRequest,
  wireDigest,
  wireProtocols,
} from './testing/ask-over-wire.ts';
import { wireConversations } from './testing/wire-conversations.ts';

/*
 * Generated conversations over every wire protocol: what providers receive, byte for byte, and what comes of it. The
 * record is written again by `PARLEY_RECORD_WIRE=1 vitest run golden-wire`, which a new version of a package of a
 * provider may need; look at the differences in the examples then.
 */

const recordFile = join(import.meta.dirname, 'testing', 'golden-wire.json');
const isRecording = process.env.PARLEY_RECORD_WIRE === '1';
const conversations = wireConversations(300);
/** How many of them are tried. */
const tried = isRecording ? conversations.length : runsTried(conversations.length);
/** Whose requests the record shows whole: several rounds of calls, signed reasoning, an instruction in between. */
const shownConversations = [46];

interface GoldenWire {
  /** Of each conversation: a digest of each request, and after a slash one of its outcome. */
  digests: Record<string, string[]>;
  examples: Record<string, WireRequest[][]>;
}

const golden: GoldenWire = isRecording ? { digests: {}, examples: {} } : JSON.parse(await readFile(recordFile, 'utf8'));

describe('requests to providers', () => {
  it.each(wireProtocols)('%s', async (protocol) => {
    const records: WireRecord[] = [];
    for (const conversation of conversations.slice(0, tried)) records.push(await askOverWire(conversation, protocol));
    const digests = records.map(
      ({ requests, outcome }) => `${requests.map(wireDigest).join(' ')} / ${wireDigest(outcome)}`,
    );
    const examples = shownConversations.map((index) => records[index]?.requests ?? []);
    if (isRecording) await record(protocol, digests, examples);
    expect(examples).toEqual(golden.examples[protocol]);
    expect(digests).toEqual(golden.digests[protocol]?.slice(0, tried));
  });
});

async function record(protocol: WireProtocol, digests: string[], examples: WireRequest[][]) {
  golden.digests[protocol] = digests;
  golden.examples[protocol] = examples;
  await writeFile(recordFile, `${JSON.stringify(golden, null, 2)}\n`);
}
