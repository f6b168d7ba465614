/** Where a ticket comes from. `feedback`: a message of the contact form with this type. */
export const ticketKinds = ['contact', 'application', 'lead', 'feedback'] as const;
export type TicketKind = (typeof ticketKinds)[number];

/** What a message of the contact form is about. */
export const inquiryTypes = ['general', 'technical', 'billing', 'sales', 'feedback', 'bug'] as const;
export type InquiryType = (typeof inquiryTypes)[number];

/** `open`: we must reply. `answered`: the latest step was our reply. */
export const ticketStates = ['open', 'answered', 'closed', 'spam'] as const;
export type TicketState = (typeof ticketStates)[number];
/** Filters of the inbox. `active`: open or answered. `overdue`: open for longer than the reply time. */
export const ticketFilters = ['active', 'overdue', ...ticketStates, 'not_spam'] as const;
export type TicketFilter = (typeof ticketFilters)[number];

/** `mine`: assigned to the administrator who asks. */
export const assigneeFilters = ['mine', 'nobody'] as const;
export type AssigneeFilter = (typeof assigneeFilters)[number];

/** Sort orders of tickets. A minus means descending. The first one is the default. Tickets without a due time are last. */
export const ticketSorts = ['-created', 'created', 'due'] as const;
export type TicketSort = (typeof ticketSorts)[number];

/** Why a message is treated as spam. `marked`: by an administrator. */
export const spamReasons = ['hidden_field', 'too_fast', 'form_expired', 'form_invalid', 'marked'] as const;
export type SpamReason = (typeof spamReasons)[number];

/** `message`: of the sender. `note`: only administrators see it. */
export const ticketMessageKinds = ['message', 'reply', 'note'] as const;
export type TicketMessageKind = (typeof ticketMessageKinds)[number];

/** Files that may be attached, by the extension that they get, and their media types. */
export const attachmentTypes = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  pdf: 'application/pdf',
  txt: 'text/plain',
} as const;
export type AttachmentType = keyof typeof attachmentTypes;

export const ticketLimits = {
  subjectLength: 150,
  messageLength: 5_000,
  replyLength: 20_000,
  attachments: 3,
  attachmentBytes: 5 * 1024 * 1024,
  /** How long a form must be open before it is sent, and how long it may be open, seconds. */
  formSeconds: { least: 3, most: 24 * 3_600 },
  /** Time to the first reply, in hours of business days. */
  replyHours: 24,
  /** Automatic replies to an email address within 24 hours. */
  autoRepliesPerDay: 2,
  /** Closed tickets are deleted after this many days, and spam after fewer. */
  closedDays: 365,
  spamDays: 30,
} as const;
