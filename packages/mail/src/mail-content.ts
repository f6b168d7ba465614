/** The content of an email, rendered as HTML and plain text. */
export type MailContent = {
  subject: string;
  /** Paragraphs about what happened. The first one is also the preview text. */
  lines: string[];
  action?: { label: string; url: string };
  after?: string[];
  /** False for texts that people write themselves. */
  greets?: boolean;
};

export type MailFacts = {
  siteName: string;
  supportEmail: string;
  /** Texts of the owner for the footer; empty or absent: none. */
  owner?: { supportHours: string; company: string; companyAddress: string };
  publicUrl: string;
  firstName: string | null;
  token?: string | undefined;
};

export function pageUrl(publicUrl: string, path: string, token?: string): string {
  const url = new URL(publicUrl.replace(/\/+$/, '') + path);
  if (token !== undefined) url.searchParams.set('token', token);
  return url.href;
}
