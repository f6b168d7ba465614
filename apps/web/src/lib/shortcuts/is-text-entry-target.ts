const nonTextInputTypes = new Set([
  'button',
  'checkbox',
  'color',
  'file',
  'image',
  'radio',
  'range',
  'reset',
  'submit',
]);

type Target = { tagName?: string; type?: string; role?: string | null; isContentEditable?: boolean };

/** Whether key presses on an element enter text or choose from a list. */
export function isTextEntryTarget(target: EventTarget | Target | null): boolean {
  const { tagName, type = 'text', isContentEditable = false } = (target ?? {}) as Target;
  if (tagName === 'INPUT') return !nonTextInputTypes.has(type);
  return isContentEditable || tagName === 'TEXTAREA' || tagName === 'SELECT';
}

/** Whether letter keys enter text in an element, or choose an option of a list that is closed. */
export function usesLetterKeys(target: EventTarget | Target | null): boolean {
  return isTextEntryTarget(target) || (target as Target | null)?.role === 'combobox';
}
