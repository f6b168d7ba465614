/** An image file as PNG, the one kind that every browser takes into its clipboard. */
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

/** Put the image behind a link into the clipboard. Called in the press itself: the bytes may come later. Throws. */
export const copyImage = (url: string): Promise<void> =>
  navigator.clipboard.write([new ClipboardItem({ 'image/png': fetchPng(url) })]);

/** Whether this browser and this kind of connection have a clipboard for images. */
export const canCopyImages = (): boolean => 'ClipboardItem' in window && navigator.clipboard !== undefined;
