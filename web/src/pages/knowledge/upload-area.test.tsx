import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Call } from '../../../testing/call.ts';
import { type FakeServer, refusal, startFakeServer, unreachable } from '../../../testing/fake-server.ts';
import { createQueries, renderInConsole } from '../../../testing/render.tsx';
import { counted, english, fill } from '../../../testing/texts.ts';
import { session } from '../../lib/session.ts';
import { UploadArea } from './upload-area.tsx';
import { maximumBytes, uploadQueue } from './upload-queue.ts';

const texts = english.knowledge;
const uploads = '/api/v1/files/documents';
/** All files of the request. */
const attachedAll = { task_id: 1, task_ids: [1], files: [], skipped: [] };
const attach = '/api/v1/knowledge/bases/{knowledge_base_uuid}/files';

let server: FakeServer;
let base: string;
let bases = 0;

beforeEach(() => {
  server = startFakeServer();
  // The queue outlives pages, and tests.
  bases += 1;
  base = `base-${bases}`;
  server.on('post', uploads, (call: Call) => ({ file_id: `id of ${nameIn(call)}` }));
  server.on('post', attach, attachedAll);
  onTestFinished(() => {
    for (const { id } of uploadQueue.of(base).uploads) uploadQueue.remove(base, id);
  });
});

function nameIn({ body }: Call): string {
  return ((body as FormData).get('file') as File).name;
}

function file(name: string, size = 5): File {
  const made = new File(['x'], name);
  Object.defineProperty(made, 'size', { value: size });
  return made;
}

async function openArea() {
  const queries = createQueries();
  await renderInConsole(<UploadArea base={base} />, queries);
  const user = userEvent.setup();
  return {
    queries,
    choose: (...files: File[]) => user.upload(screen.getByLabelText(texts.chooseFiles), files),
    press: (name: string) => user.click(screen.getByRole('button', { name })),
  };
}

/** The row of a file. */
const row = (name: string) => within(screen.getByTitle(name).closest('li') as HTMLElement);
const rows = () => screen.queryAllByRole('listitem').length;
const settled = () => waitFor(() => expect(rows()).toBe(0));
/** The names of files whose upload has begun. */
const begun = () => server.callsTo('post', uploads).map(nameIn);
const attached = () =>
  server.callsTo('post', `/api/v1/knowledge/bases/${base}/files`).map(({ body }) => body as { file_id: string });

/** Holds all uploads until they are let go, by name. */
function holdUploads() {
  const held = new Map<string, () => void>();
  const calls = new Map<string, Call>();
  server.on('post', uploads, async (call: Call) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held.set(nameIn(call), resolve);
    calls.set(nameIn(call), call);
    await promise;
    return { file_id: `id of ${nameIn(call)}` };
  });
  return { letGo: (name: string) => held.get(name)?.(), call: (name: string) => calls.get(name) as Call };
}

describe('files', () => {
  it('are uploaded, attached, and leave the list', async () => {
    const { choose } = await openArea();
    await choose(file('a.txt'), file('b.txt'));
    await settled();
    expect(begun()).toEqual(['a.txt', 'b.txt']);
    expect(attached()).toEqual([{ file_id: 'id of a.txt' }, { file_id: 'id of b.txt' }]);
    expect(server.calls[0]?.headers.get('x-parley-console')).toBe('1');
  });

  it('are uploaded again when the session has ended and the user has signed in again', async () => {
    let isSignedIn = false;
    server.on('post', uploads, (call: Call) =>
      isSignedIn ? { file_id: `id of ${nameIn(call)}` } : refusal(401, 'unauthorized'),
    );
    session.begin();
    session.show();
    const { choose } = await openArea();
    await choose(file('a.txt'));
    await waitFor(() => expect(session.isInterrupted()).toBe(true));
    isSignedIn = true;
    act(() => {
      session.begin();
      session.resume();
    });
    await settled();
    expect(attached()).toEqual([{ file_id: 'id of a.txt' }]);
    act(() => session.end());
  });

  it('refresh the documents of the base once they are attached', async () => {
    const { queries, choose } = await openArea();
    queries.setQueryData(['knowledge', base, 'documents'], []);
    queries.setQueryData(['knowledge', 'other', 'documents'], []);
    await choose(file('a.txt'));
    await settled();
    await waitFor(() => expect(queries.getQueryState(['knowledge', base, 'documents'])?.isInvalidated).toBe(true));
    expect(queries.getQueryState(['knowledge', 'other', 'documents'])?.isInvalidated).toBe(false);
  });

  it('are uploaded three at a time, in order', async () => {
    const { letGo } = holdUploads();
    const { choose } = await openArea();
    await choose(...['a', 'b', 'c', 'd', 'e'].map((name) => file(name)));
    await waitFor(() => expect(begun()).toEqual(['a', 'b', 'c']));
    expect(row('d').getByText(new RegExp(texts.uploadStates.waiting))).toBeTruthy();
    letGo('b');
    await waitFor(() => expect(begun()).toEqual(['a', 'b', 'c', 'd']));
    for (const name of ['a', 'c', 'd']) letGo(name);
    await waitFor(() => expect(begun()).toHaveLength(5));
    letGo('e');
    await settled();
  });

  it('show how much of them is uploaded', async () => {
    const { letGo, call } = holdUploads();
    const { choose } = await openArea();
    await choose(file('a.txt'));
    const bar = await screen.findByRole('progressbar', { name: fill(texts.uploadOf, { name: 'a.txt' }) });
    act(() => call('a.txt').progress(30, 120));
    await waitFor(() => expect(bar.getAttribute('aria-valuenow')).toBe('25'));
    // An empty file has no parts.
    act(() => call('a.txt').progress(0, 0));
    await waitFor(() => expect(bar.getAttribute('aria-valuenow')).toBe('0'));
    letGo('a.txt');
    await settled();
  });

  it('are uploaded on while another page is open', async () => {
    const { letGo } = holdUploads();
    const queries = createQueries();
    const { unmount } = await renderInConsole(<UploadArea base={base} />, queries);
    await userEvent.upload(screen.getByLabelText(texts.chooseFiles), file('a.txt'));
    unmount();
    await openArea();
    expect(rows()).toBe(1);
    letGo('a.txt');
    await settled();
    expect(attached()).toHaveLength(1);
  });

  it('of another base are not listed', async () => {
    holdUploads();
    uploadQueue.add(`${base}-other`, [file('a.txt')]);
    await openArea();
    expect(rows()).toBe(0);
    uploadQueue.remove(`${base}-other`, uploadQueue.of(`${base}-other`).uploads[0]?.id as number);
  });

  it('in progress are announced, and how many failed', async () => {
    const { letGo } = holdUploads();
    const { choose } = await openArea();
    await choose(file('a.txt'), file('big.pdf', maximumBytes + 1));
    const status = screen
      .getAllByRole('status')
      .map(({ textContent }) => textContent)
      .join('');
    expect(status).toBe(`${counted(texts, 'uploading', 1)} ${counted(texts, 'uploadsFailed', 1)}`);
    letGo('a.txt');
    await waitFor(() => expect(rows()).toBe(1));
  });
});

describe('an upload that fails', () => {
  it.each([
    ['is cut off', unreachable, english.errors.unreachable],
    ['finds the disk full', refusal(503, 'storage_unavailable'), english.reasons.storage_unavailable],
    ['is refused', refusal(403, 'forbidden', { msg: 'Not for you' }), 'Not for you'],
  ])('because it %s stays with the error, and can be repeated', async (_, answer, text) => {
    server.on('post', uploads, answer);
    const { choose, press } = await openArea();
    await choose(file('a.txt'));
    expect(await row('a.txt').findByText(text)).toBeTruthy();
    expect(attached()).toEqual([]);
    server.on('post', uploads, { file_id: 'second' });
    await press(english.common.retry);
    await settled();
    expect(attached()).toEqual([{ file_id: 'second' }]);
  });

  it('does not hold up the others', async () => {
    server.on('post', uploads, (call: Call) =>
      nameIn(call) === 'bad' ? refusal(415, 'unsupported_media_type') : { file_id: nameIn(call) },
    );
    const { choose } = await openArea();
    await choose(...['bad', 'a', 'b', 'c', 'd'].map((name) => file(name)));
    await waitFor(() => expect(rows()).toBe(1));
    expect(attached().map(({ file_id }) => file_id)).toEqual(['a', 'b', 'c', 'd']);
    expect(row('bad').getByRole('button', { name: english.common.retry })).toBeTruthy();
  });

  it('only in being attached is not uploaded twice', async () => {
    server.on('post', attach, refusal(503, 'overloaded'));
    const { choose, press } = await openArea();
    await choose(file('a.txt'));
    await row('a.txt').findByText(english.reasons.overloaded);
    server.on('post', attach, attachedAll);
    await press(english.common.retry);
    await settled();
    expect(begun()).toEqual(['a.txt']);
    expect(attached()).toEqual([{ file_id: 'id of a.txt' }, { file_id: 'id of a.txt' }]);
  });

  it('is not even tried with a file that is too large', async () => {
    const { choose, press } = await openArea();
    await choose(file('big.pdf', maximumBytes + 1));
    expect(row('big.pdf').getByText(texts.fileTooLarge)).toBeTruthy();
    expect(row('big.pdf').queryByRole('button', { name: english.common.retry })).toBeNull();
    await press(fill(texts.dismiss, { name: 'big.pdf' }));
    expect(rows()).toBe(0);
    expect(server.calls).toEqual([]);
  });

  it('is tried with a file of exactly the greatest size', async () => {
    const { choose } = await openArea();
    await choose(file('just.pdf', maximumBytes));
    await settled();
    expect(attached()).toHaveLength(1);
  });

  it('as a duplicate can be added anyway, without uploading again', async () => {
    server.on('post', attach, ({ body }: Call) =>
      (body as { allow_duplicate?: boolean }).allow_duplicate === true
        ? attachedAll
        : refusal(409, 'duplicate_document'),
    );
    const { choose, press } = await openArea();
    await choose(file('a.txt'));
    await screen.findByRole('button', { name: texts.addAnyway });
    expect(screen.queryByRole('button', { name: english.common.retry })).toBeNull();
    await press(texts.addAnyway);
    await settled();
    expect(begun()).toEqual(['a.txt']);
    expect(attached()).toEqual([{ file_id: 'id of a.txt' }, { file_id: 'id of a.txt', allow_duplicate: true }]);
  });

  it('for files of an archive says which and why, until it is dismissed', async () => {
    const skipped = [
      { file_name: 'c.exe', reason: 'document_type_unsupported', message: 'from the server', document_uuid: null },
      { file_name: 'd.bin', reason: 'no_such_reason', message: 'from the server', document_uuid: null },
    ];
    server.on('post', attach, { ...attachedAll, skipped });
    const { choose, press } = await openArea();
    await choose(file('all.zip'));
    const reason = english.reasons.document_type_unsupported;
    expect(await row('all.zip').findByText(fill(texts.leftOut, { name: 'c.exe', reason }))).toBeTruthy();
    expect(row('all.zip').getByText(fill(texts.leftOut, { name: 'd.bin', reason: 'from the server' }))).toBeTruthy();
    await press(fill(texts.dismiss, { name: 'all.zip' }));
    expect(rows()).toBe(0);
  });
});

describe('a cancelled upload', () => {
  it('is aborted and makes place for the next', async () => {
    const { call } = holdUploads();
    const { choose, press } = await openArea();
    await choose(...['a', 'b', 'c', 'd'].map((name) => file(name)));
    await waitFor(() => expect(begun()).toEqual(['a', 'b', 'c']));
    await press(fill(texts.cancelUpload, { name: 'b' }));
    await waitFor(() => expect(begun()).toEqual(['a', 'b', 'c', 'd']));
    expect(call('b').signal.aborted).toBe(true);
    expect(screen.queryByTitle('b')).toBeNull();
    expect(attached()).toEqual([]);
  });

  it('that had not begun is never sent', async () => {
    const { letGo } = holdUploads();
    const { choose, press } = await openArea();
    await choose(...['a', 'b', 'c', 'd'].map((name) => file(name)));
    await waitFor(() => expect(begun()).toEqual(['a', 'b', 'c']));
    await press(fill(texts.cancelUpload, { name: 'd' }));
    for (const name of ['a', 'b', 'c']) letGo(name);
    await settled();
    expect(begun()).toEqual(['a', 'b', 'c']);
  });
});

describe('leaving the console', () => {
  const leave = () => {
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };

  it('asks while something is being uploaded, and not afterwards', async () => {
    const { letGo } = holdUploads();
    const { choose } = await openArea();
    expect(leave()).toBe(false);
    await choose(file('a.txt'));
    expect(leave()).toBe(true);
    letGo('a.txt');
    await settled();
    expect(leave()).toBe(false);
  });

  it('does not ask because of what failed', async () => {
    const { choose } = await openArea();
    await choose(file('big.pdf', maximumBytes + 1));
    expect(leave()).toBe(false);
  });
});
