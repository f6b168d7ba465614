import type {
  InquiryType,
  SpamReason,
  TicketKind,
  TicketMessageKind,
  TicketState,
} from '@uprez/contracts/policy/admin/tickets';
import type { Generated, GeneratedAlways } from 'kysely';

/** A message of the contact form, an inquiry, or an application, with who answers it. */
export type TicketsTable = {
  id: string;
  number: GeneratedAlways<number>;
  kind: TicketKind;
  inquiryType: InquiryType | null;
  state: Generated<TicketState>;
  /** The sender's, if they were signed in. */
  accountId: string | null;
  leadId: string | null;
  name: string;
  email: string;
  company: Generated<string>;
  subject: string;
  /** The title of the position of an application, as it was then. */
  position: string | null;
  assigneeId: string | null;
  /** When the first reply is due. */
  dueAt: Date | null;
  /** Empty unless it is spam. */
  spamReasons: Generated<SpamReason[]>;
  autoRepliedAt: Date | null;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
};

/** The email of a reply has the ID of the reply in the outbox. */
export type TicketMessagesTable = {
  id: string;
  ticketId: string;
  kind: TicketMessageKind;
  /** An administrator; null for the sender. */
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
