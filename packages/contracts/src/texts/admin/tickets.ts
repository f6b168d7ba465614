import type { InquiryType, SpamReason, TicketFilter, TicketKind } from '../../policy/admin/tickets.ts';

export const inquiryNames: Readonly<Record<InquiryType, string>> = {
  general: 'General question',
  technical: 'Technical support',
  billing: 'Billing',
  sales: 'Sales',
  feedback: 'Feedback',
  bug: 'Bug report',
};

export const ticketKindNames: Readonly<Record<TicketKind, string>> = {
  contact: 'Contact form',
  application: 'Application',
  lead: 'Enterprise lead',
  feedback: 'Feedback',
};

export const ticketFilterNames: Readonly<Record<TicketFilter, string>> = {
  active: 'Active',
  overdue: 'Overdue',
  open: 'Open',
  answered: 'Answered',
  closed: 'Closed',
  spam: 'Spam',
  not_spam: 'All except spam',
};

export const spamReasonNames: Readonly<Record<SpamReason, string>> = {
  hidden_field: 'A hidden field was filled in',
  too_fast: 'The form was sent too quickly',
  form_expired: 'The form was opened more than 24 hours before',
  form_invalid: "The form didn't come from the contact page",
  marked: 'An administrator marked it',
};

type Inquiry = { kind: TicketKind; inquiryType: InquiryType | null; position: string | null };

/** Describes the subject of a ticket: `Bug report`, or `Application: Designer`. */
export function describeInquiry({ kind, inquiryType, position }: Inquiry): string {
  if (position !== null) return `${ticketKindNames.application}: ${position}`;
  return inquiryType ? inquiryNames[inquiryType] : ticketKindNames[kind];
}
