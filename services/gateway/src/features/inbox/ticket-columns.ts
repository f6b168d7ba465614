import type { TicketRow } from '@uprez/contracts/schemas/tickets';
import type { ExportColumns } from '../admin/send-export.ts';

export const ticketColumns: ExportColumns<'tickets', TicketRow> = {
  ticket: {
    ticket: ({ id }) => id,
    number: ({ number }) => number,
    subject: ({ subject }) => subject,
    kind: ({ kind }) => kind,
    inquiry_type: ({ inquiryType }) => inquiryType,
  },
  sender: { name: ({ name }) => name, email: ({ email }) => email, company: ({ company }) => company || null },
  state: { state: ({ state }) => state, spam_reasons: ({ spamReasons }) => spamReasons.join(', ') || null },
  assignee: { assignee: ({ assignee }) => assignee?.email ?? null },
  due: { due: ({ dueAt }) => dueAt },
  created: { created: ({ createdAt }) => createdAt },
};
