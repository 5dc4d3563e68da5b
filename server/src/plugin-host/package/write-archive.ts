import JSZip from 'jszip';

/** The earliest time that an archive can name: the same files are the same bytes, whenever they are packed. */
const date = new Date(Date.UTC(1980, 0, 1));

/** Writes a ZIP archive as packages of plugins are: without folders, times and attributes. */
export async function writeArchive(files: ReadonlyMap<string, Uint8Array>): Promise<Buffer> {
  const archive = new JSZip();
  for (const [path, content] of files) archive.file(path, content, { date, createFolders: false, binary: true });
  return archive.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE', platform: 'DOS' });
}
