/** Whether a path of the server, `config.list[0]`, equals a path or is below it. */
export function isAt(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`);
}
