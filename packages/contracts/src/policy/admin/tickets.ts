/** `feedback`: a contact form message with the topic `feedback`. */
export const ticketKinds = ['contact', 'application', 'lead', 'feedback'] as const;
export type TicketKind = (typeof ticketKinds)[number];

export const inquiryTypes = ['general', 'technical', 'billing', 'sales', 'feedback', 'bug'] as const;
export type InquiryType = (typeof inquiryTypes)[number];

/** `open`: waiting for our reply. `answered`: we replied last. */
export const ticketStates = ['open', 'answered', 'closed', 'spam'] as const;
export type TicketState = (typeof ticketStates)[number];
/** Filters of the inbox. `active`: open or answered. `overdue`: open for longer than the reply time. */
export const ticketFilters = ['active', 'overdue', ...ticketStates, 'not_spam'] as const;
export type TicketFilter = (typeof ticketFilters)[number];

/** `mine`: assigned to the requesting administrator. */
export const assigneeFilters = ['mine', 'nobody'] as const;
export type AssigneeFilter = (typeof assigneeFilters)[number];

/** A minus means descending. The first order is the default. Tickets without a due time are last. */
export const ticketSorts = ['-created', 'created', 'due'] as const;
export type TicketSort = (typeof ticketSorts)[number];

/** `marked`: an administrator marked it. */
export const spamReasons = ['hidden_field', 'too_fast', 'form_expired', 'form_invalid', 'marked'] as const;
export type SpamReason = (typeof spamReasons)[number];

/** `message`: from the sender. `note`: visible only to administrators. */
export const ticketMessageKinds = ['message', 'reply', 'note'] as const;
export type TicketMessageKind = (typeof ticketMessageKinds)[number];

/** Media types of the allowed attachments, keyed by the file extension that we give them. */
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
  /** Minimum and maximum time between opening and submitting a form, in seconds. */
  formSeconds: { least: 3, most: 24 * 3_600 },
  /** Target time for the first reply, in hours. Only business days count. */
  replyHours: 24,
  /** Maximum number of automatic replies to an email address within 24 hours. */
  autoRepliesPerDay: 2,
  /** Days after which closed tickets are deleted. `spamDays`: days after which spam is deleted. */
  closedDays: 365,
  spamDays: 30,
} as const;
