const padTwoDigits = (n: number) => String(n).padStart(2, '0');

/** Returns a name for a pasted image that doesn't have one, such as `pasted-20261105-140709.png`. */
export function makePastedName(type: string, now: Date): string {
  const day = `${now.getFullYear()}${padTwoDigits(now.getMonth() + 1)}${padTwoDigits(now.getDate())}`;
  const time = `${padTwoDigits(now.getHours())}${padTwoDigits(now.getMinutes())}${padTwoDigits(now.getSeconds())}`;
  return `pasted-${day}-${time}.${type.split('/')[1] ?? 'png'}`;
}

/** Renames pasted bitmaps, because browsers name all of them `image.png`. Copied files keep their names. */
export function namePastedFile(file: File, now: Date): File {
  if (file.name !== '' && !/^image\.\w+$/.test(file.name)) return file;
  return new File([file], makePastedName(file.type, now), { type: file.type });
}
