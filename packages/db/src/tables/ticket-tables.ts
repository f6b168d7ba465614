import type {
  InquiryType,
  SpamReason,
  TicketKind,
  TicketMessageKind,
  TicketState,
} from '@uprez/contracts/policy/admin/tickets';
import type { Generated, GeneratedAlways } from 'kysely';

/** A contact form message, an inquiry, or an application, with the administrator who is assigned to it. */
export type TicketsTable = {
  id: string;
  number: GeneratedAlways<number>;
  kind: TicketKind;
  inquiryType: InquiryType | null;
  state: Generated<TicketState>;
  /** The sender's account, if they were signed in. */
  accountId: string | null;
  leadId: string | null;
  name: string;
  email: string;
  company: Generated<string>;
  subject: string;
  /** For an application, the title of the position at the time of the application. */
  position: string | null;
  assigneeId: string | null;
  /** When the first reply is due. */
  dueAt: Date | null;
  /** Empty unless the ticket is spam. */
  spamReasons: Generated<SpamReason[]>;
  autoRepliedAt: Date | null;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
};

/** A message in a ticket. In the outbox, a reply's email has the same ID as the reply. */
export type TicketMessagesTable = {
  id: string;
  ticketId: string;
  kind: TicketMessageKind;
  /** An administrator, or null for the sender. */
  authorId: string | null;
  text: string;
  createdAt: Generated<Date>;
};

export type TicketFilesTable = {
  id: string;
  ticketId: string;
  objectId: string;
  name: string;
  mimeType: string;
  createdAt: Generated<Date>;
};

export type TicketTables = {
  tickets: TicketsTable;
  ticketMessages: TicketMessagesTable;
  ticketFiles: TicketFilesTable;
};
