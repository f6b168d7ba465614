const typelessInputs = new Set(['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']);

type Target = { tagName?: string; type?: string; role?: string | null; isContentEditable?: boolean };

/** Whether keys pressed at an element write text there, or choose out of a list. */
export function isTyping(target: EventTarget | Target | null): boolean {
  const { tagName, type = 'text', isContentEditable = false } = (target ?? {}) as Target;
  if (tagName === 'INPUT') return !typelessInputs.has(type);
  return isContentEditable || tagName === 'TEXTAREA' || tagName === 'SELECT';
}

/** Whether letters pressed at an element mean something there: text, or the choice of a closed list that begins so. */
export function takesLetters(target: EventTarget | Target | null): boolean {
  return isTyping(target) || (target as Target | null)?.role === 'combobox';
}
