/** Copies by way of a hidden field, for browsers and addresses without a clipboard to write to. */
function copyBySelection(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'sr-only';
  field.setAttribute('aria-hidden', 'true');
  // Beside what has the focus: a dialog keeps the focus inside.
  (before?.parentElement ?? document.body).append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return copied;
}

/** Puts `text` on the clipboard; false where the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Selects what an element shows, so that its reader can copy it. */
export function selectContents(element: Element): void {
  getSelection()?.selectAllChildren(element);
}
