/** Masks an email address: `ada@mail.example` -> `a***@***.example`. Returns strings without @ unchanged. */
export function maskEmail(text: string): string {
  const at = text.lastIndexOf('@');
  if (at < 0) return text;
  const dot = text.lastIndexOf('.');
  return `${text.slice(0, Math.min(1, at))}***@***${dot > at ? text.slice(dot) : ''}`;
}
