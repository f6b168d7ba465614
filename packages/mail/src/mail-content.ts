/** The content of an email, rendered as HTML and plain text. */
export type MailContent = {
  subject: string;
  /** Paragraphs about what happened. The first one is also the preview text. */
  lines: string[];
  /** The button. */
  action?: { label: string; url: string };
  /** Paragraphs after the button. */
  after?: string[];
};

/** Facts about the site and the recipient. */
export type MailFacts = {
  siteName: string;
  supportEmail: string;
  /** Base of all links. */
  publicUrl: string;
  firstName: string | null;
  /** The token of the link in the email. */
  token?: string | undefined;
};

/** The absolute URL of a page. */
export function pageUrl(publicUrl: string, path: string, token?: string): string {
  const url = new URL(publicUrl.replace(/\/+$/, '') + path);
  if (token !== undefined) url.searchParams.set('token', token);
  return url.href;
}
