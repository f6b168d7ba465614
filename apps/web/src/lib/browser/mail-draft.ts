/** The link that opens a mail draft in the visitor's own program. */
export const mailDraft = (to: string, { subject, body }: { subject: string; body: string }): string =>
  `mailto:${encodeURIComponent(to).replace('%40', '@')}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
