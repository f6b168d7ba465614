/** The content of an email, rendered as HTML and plain text. */
export type MailContent = {
  subject: string;
  /** Paragraphs about what happened. The first one is also the preview text. */
  lines: string[];
  action?: { label: string; url: string };
  /** Formatted text below the lines. `html` must be safe. */
  body?: { html: string; text: string };
  after?: string[];
  /** Whether the email starts with a greeting. False for emails that people write themselves. */
  greets?: boolean;
};

export type MailFacts = {
  siteName: string;
  supportEmail: string;
  /** Footer details of the site's owner. Empty and missing values are omitted. */
  owner?: { supportHours: string; company: string; companyAddress: string };
  publicUrl: string;
  firstName: string | null;
  token?: string | undefined;
  /** For bulk emails: why the recipient gets the email, and how to unsubscribe. */
  subscription?: Subscription;
};

export type Subscription = { reason: string; unsubscribeUrl: string; preferencesUrl: string };

export function pageUrl(publicUrl: string, path: string, token?: string): string {
  const url = new URL(publicUrl.replace(/\/+$/, '') + path);
  if (token !== undefined) url.searchParams.set('token', token);
  return url.href;
}
