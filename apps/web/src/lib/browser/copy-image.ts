/** Converts an image to PNG, the only format that all browsers can copy. */
async function toPng(file: Blob): Promise<Blob> {
  if (file.type === 'image/png') return file;
  const bitmap = await createImageBitmap(file);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas.convertToBlob({ type: 'image/png' });
}

async function fetchPng(url: string): Promise<Blob> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(response.statusText);
  return toPng(await response.blob());
}

/** Copies the image at a URL. Must be called in a user gesture. Throws if the browser refuses. */
export const copyImage = (url: string): Promise<void> =>
  navigator.clipboard.write([new ClipboardItem({ 'image/png': fetchPng(url) })]);

/** Whether the browser can copy images. Requires a secure context. */
export const canCopyImages = (): boolean => 'ClipboardItem' in window && navigator.clipboard !== undefined;
