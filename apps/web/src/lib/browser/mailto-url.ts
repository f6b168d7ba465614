export const mailtoUrl = (to: string, { subject, body }: { subject: string; body: string }): string =>
  `mailto:${encodeURIComponent(to).replace('%40', '@')}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
