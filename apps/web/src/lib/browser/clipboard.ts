/** For browsers and origins without the Clipboard API. */
function copyBySelection(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'sr-only';
  field.setAttribute('aria-hidden', 'true');
  // The field is placed next to the focused element. In an open dialog, a field elsewhere couldn't take the focus.
  (before?.parentElement ?? document.body).append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return copied;
}

/** Copies text to the clipboard. Returns false if the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

export function selectContents(element: Element): void {
  getSelection()?.selectAllChildren(element);
}

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
