/** Copies text through a selection, for browsers and origins without the Clipboard API. */
function copyBySelection(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'sr-only';
  field.setAttribute('aria-hidden', 'true');
  // The field is placed next to the focused element, because dialogs trap the focus.
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
