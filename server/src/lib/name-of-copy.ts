const ending = ' (Copy)';

/** A name has room for 255 characters, those of the ending included. */
export function nameOfCopy(name: string): string {
  return `${[...name].slice(0, 255 - ending.length).join('')}${ending}`;
}
