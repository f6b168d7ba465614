import type { contactFormSchema } from '@uprez/contracts/schemas/contact';
import { insertTicketFiles } from '@uprez/db/queries/inbox/tickets';
import { openTicket } from '@uprez/domain/inbox/open-ticket';
import { storeAttachment } from '@uprez/domain/inbox/store-attachment';
import { makeFormToken } from '../../src/features/inbox/contact-routes.ts';
import type { TestGateway } from './start-test-gateway.ts';

/** The secret of test gateways. */
export const urlSecret = 'a link secret of these tests that is long enough';
/** The token of a form that was opened so many seconds ago. */
export const tokenFrom = (secondsAgo: number, secret = urlSecret) =>
  makeFormToken(secret, Date.now() - secondsAgo * 1_000);

export const fields = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@engine.example',
  company: 'Engine Ltd.',
  inquiryType: 'technical',
  subject: 'Upload fails',
  message: 'It stops at 50%.',
};
export type Fields = Partial<Record<keyof typeof contactFormSchema.shape, string>>;
export type TestFile = { name: string; bytes: Buffer | string };

export const png = Buffer.from('\x89PNG\r\n\x1a\n and pixels', 'latin1');

/** Sends the contact form as an ordinary visitor does, with some fields changed. */
export async function sendContact(
  { url }: Pick<TestGateway, 'url'>,
  { by = fetch, files = [], ...changed }: { by?: typeof fetch; files?: TestFile[]; fields?: Fields } = {},
): Promise<Response> {
  const body = new FormData();
  const values = { ...fields, formToken: tokenFrom(60), ...changed.fields };
  for (const [name, value] of Object.entries(values)) body.set(name, value);
  for (const { name, bytes } of files)
    body.append('attachments', new Blob([Uint8Array.from(Buffer.from(bytes))]), name);
  return await by(`${url}/api/contact`, { method: 'POST', body, headers: { accept: 'application/problem+json' } });
}

/** Creates a ticket with a file. Returns the ID of both. */
export async function makeTicketId({ ctx }: Pick<TestGateway, 'ctx'>): Promise<string> {
  const { id: objectId, name, mimeType } = await storeAttachment(ctx, { filename: 'page.png', bytes: png });
  return await ctx.db.transaction().execute(async (tx) => {
    const { firstName, email, company, subject, message } = fields;
    const sender = { accountId: null, name: firstName, email, company, subject, message };
    const { id } = await openTicket(tx, { kind: 'contact', inquiryType: 'bug', ...sender });
    await insertTicketFiles(tx, [{ id, ticketId: id, objectId, name, mimeType }]);
    return id;
  });
}
