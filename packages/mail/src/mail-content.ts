/** What one mail says: the same words become its HTML and its plain text. */
export type MailContent = {
  subject: string;
  /** What happened; a paragraph each. */
  lines: string[];
  /** What there is to do. */
  action?: { label: string; url: string };
  /** What holds of it, and what to do if it was not you. */
  after?: string[];
};

/** Whom a mail is about, and what its texts need to know. */
export type MailFacts = {
  siteName: string;
  supportEmail: string;
  /** What every link begins with: PUBLIC_URL. */
  publicUrl: string;
  firstName: string | null;
  /** The secret of the mail's link, where it has one. */
  token?: string | undefined;
};

/** An absolute address of one of our pages. */
export function pageUrl(publicUrl: string, path: string, token?: string): string {
  const url = new URL(publicUrl.replace(/\/+$/, '') + path);
  if (token !== undefined) url.searchParams.set('token', token);
  return url.href;
}
