const two = (n: number) => String(n).padStart(2, '0');

/** `pasted-20261105-140709.png`: a name for an image that came without one. */
export function pastedName(type: string, now: Date): string {
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  const time = `${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
  return `pasted-${day}-${time}.${type.split('/')[1] ?? 'png'}`;
}

/** Browsers call every pasted bitmap `image.png`; a copied file keeps its own name. */
export function namePastedFile(file: File, now: Date): File {
  if (file.name !== '' && !/^image\.\w+$/.test(file.name)) return file;
  return new File([file], pastedName(file.type, now), { type: file.type });
}
