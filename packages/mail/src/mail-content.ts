/** The content of an email, rendered as HTML and plain text. */
export type MailContent = {
  subject: string;
  /** Paragraphs about what happened. The first one is also the preview text. */
  lines: string[];
  action?: { label: string; url: string };
  /** A text with markup, below the lines. `html` must be safe. */
  body?: { html: string; text: string };
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
  /** Of bulk emails: why the recipient gets it, and how to leave. */
  subscription?: Subscription;
};

export type Subscription = { reason: string; unsubscribeUrl: string; preferencesUrl: string };

export function pageUrl(publicUrl: string, path: string, token?: string): string {
  const url = new URL(publicUrl.replace(/\/+$/, '') + path);
  if (token !== undefined) url.searchParams.set('token', token);
  return url.href;
}
