import { createHmac } from 'node:crypto';
import { AppError, makeFileTooLargeError } from '@uprez/contracts/errors/app-error';
import { type SpamReason, ticketLimits } from '@uprez/contracts/policy/admin/tickets';
import type { SiteSettings } from '@uprez/contracts/schemas/admin/settings';
import { type ContactForm, contactFormSchema } from '@uprez/contracts/schemas/contact';
import { contactLinks, listContactChannels, replyPromise } from '@uprez/contracts/texts/site/contact';
import { sitePaths } from '@uprez/contracts/texts/site/pages';
import { receiveContact } from '@uprez/domain/inbox/receive-contact';
import { type Attachment, abandonAttachments, storeAttachment } from '@uprez/domain/inbox/store-attachment';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { findUser } from '../../http/authenticate.ts';
import { withReservedMemory } from '../../http/bodies/body-budgets.ts';
import { takeTurns } from '../../http/bodies/request-bodies.ts';
import { watchUpload } from '../../http/bodies/watch-upload.ts';
import { defineHandlers } from '../../http/contract.ts';
import { countAgainstRateClass } from '../../http/rate-limit.ts';
import { pathOf } from '../../http/web/open-pages.ts';
import {
  escapeHtml,
  type FoundPage,
  findDocument,
  link,
  type PageDocument,
  renderStructuredData,
  siteUrlOf,
} from '../../http/web/page-document.ts';
import { isSameSignature } from '../files/download-link.ts';
import {
  hasBoundary,
  maxFormOverheadBytes,
  type Part,
  readField,
  readParts,
  toFormError,
} from '../uploads/receive-upload.ts';

export const contactHandlers = (deps: Deps) => {
  const secrets = deps.config.URL_SECRET;
  return defineHandlers({
    openContactForm: async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      return { token: makeFormToken(secrets[0]) };
    },
    sendContact: async (request, reply) => {
      const user = await findUser(deps, request);
      const { form, files } = await receiveContactForm(deps, request);
      const hidden: SpamReason[] = form.website === '' ? [] : ['hidden_field'];
      const spamReasons = [...hidden, ...checkFormToken(secrets, form.formToken)];
      try {
        // Counts only accepted forms. People who correct a rejected form must not use up their message limit.
        await countAgainstRateClass('messages', request, reply);
        const received = await receiveContact(deps, { form, files, accountId: user?.id, spamReasons });
        return reply.status(201).send(received);
      } catch (error) {
        await abandonAttachments(deps, files);
        throw error;
      }
    },
  });
};

/** Separates these signatures from those of download links, which use the same secret. */
const purpose = 'contact-form';

const signOpenedAt = (secret: string, openedAt: string) =>
  createHmac('sha256', secret).update(`${purpose}.${openedAt}`).digest('base64url');

/** Returns the signed time at which a form was opened. `now`: Unix time in milliseconds. */
export function makeFormToken(secret: string, now = Date.now()): string {
  const openedAt = String(now);
  return `${openedAt}.${signOpenedAt(secret, openedAt)}`;
}

/**
 * Returns the reasons to treat a form as spam: its opening time isn't signed with one of the secrets, is too recent, or
 * is too long ago.
 */
export function checkFormToken(secrets: readonly string[], token: string, now = Date.now()): SpamReason[] {
  const [openedAt = '', signature = ''] = token.split('.');
  if (!secrets.some((secret) => isSameSignature(signOpenedAt(secret, openedAt), signature))) return ['form_invalid'];
  const openS = (now - Number(openedAt)) / 1_000;
  const { least, most } = ticketLimits.formSeconds;
  if (openS < least) return ['too_fast'];
  return openS > most ? ['form_expired'] : [];
}

/** Replaces the error's default message, which is about image uploads. */
const formDetail = 'Send the message as a multipart form.';

type FormDeps = Pick<Deps, 'db' | 'storage' | 'log' | 'bodies'>;
type FilePart = Extract<Part, { type: 'file' }>;
type ReceivedForm = { form: ContactForm; files: Attachment[] };

const { attachments, attachmentBytes } = ticketLimits;
const maxFields = Object.keys(contactFormSchema.shape).length + 5;
/** Maximum size of a field, in bytes. Large enough for the longest message, because a character takes up to 4 bytes. */
const maxFieldBytes = 8 * ticketLimits.messageLength;
// One file more than allowed, because the parser would otherwise throw its own error instead of ours.
const partLimits = {
  files: attachments + 1,
  fields: maxFields,
  parts: attachments + 1 + maxFields,
  fileSize: attachmentBytes,
  fieldSize: maxFieldBytes,
};

/**
 * Reads a contact form and stores its files. Deletes the files if the form is rejected. Throws `malformed_multipart`,
 * `file_too_large`, or `invalid_parameter` with the first invalid field.
 */
async function receiveContactForm(deps: FormDeps, request: FastifyRequest): Promise<ReceivedForm> {
  if (!request.isMultipart() || !hasBoundary(request.headers['content-type']))
    throw new AppError('malformed_multipart', { detail: formDetail });
  const maxBytes = attachments * attachmentBytes + maxFormOverheadBytes;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes)
    throw makeFileTooLargeError(attachmentBytes, 'attachments');
  // Reserves memory for one file, because only one is in memory at a time.
  return withReservedMemory(deps, { request, maxBytes: attachmentBytes }, () => readForm(deps, request));
}

async function readForm(deps: FormDeps, request: FastifyRequest): Promise<ReceivedForm> {
  const watch = watchUpload(request.raw);
  const files: Attachment[] = [];
  const values: Record<string, string> = {};
  try {
    for await (const part of readParts(request, { limits: partLimits, signal: watch.signal })) {
      if (part.type === 'field') addField(values, part);
      else await addFile(deps, files, { part, request, signal: watch.signal });
    }
    return { form: parseForm(values), files };
  } catch (error) {
    await abandonAttachments(deps, files);
    throw watch.signal.aborted ? watch.signal.reason : describeFormError(toFormError(error));
  } finally {
    watch.stop();
  }
}

const describeFormError = (error: unknown): unknown =>
  error instanceof AppError && error.code === 'malformed_multipart' ? error.with({ detail: formDetail }) : error;

function addField(values: Record<string, string>, part: Extract<Part, { type: 'field' }>): void {
  if (Object.hasOwn(values, part.fieldname))
    throw new AppError('invalid_parameter', {
      param: part.fieldname.slice(0, 40),
      detail: 'This field was sent more than once.',
    });
  // Ignores truncation: a truncated value is still longer than any field allows, so the schema rejects it with an error
  // that states the maximum.
  values[part.fieldname] = readField({ ...part, valueTruncated: false });
}

type AddFileInput = { part: FilePart; request: FastifyRequest; signal: AbortSignal };

async function addFile(
  deps: FormDeps,
  files: Attachment[],
  { part: { fieldname, filename, file }, request, signal }: AddFileInput,
): Promise<void> {
  if (fieldname !== 'attachments')
    throw new AppError('invalid_parameter', {
      param: fieldname.slice(0, 40),
      detail: 'Send files in the "attachments" field.',
    });
  const chunks: Buffer[] = [];
  for await (const chunk of takeTurns(deps, { request, source: file, signal })) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  // Browsers send an empty, unnamed file if no file is selected.
  if (bytes.length === 0 && !filename) return;
  if (files.length >= attachments)
    throw new AppError('invalid_parameter', {
      param: 'attachments',
      detail: `You can attach up to ${attachments} files.`,
      allowed: attachments,
    });
  if (file.truncated) throw makeFileTooLargeError(attachmentBytes, 'attachments');
  files.push(await storeAttachment(deps, { filename, bytes }));
}

function parseForm(values: Record<string, string>): ContactForm {
  const { success, data, error } = contactFormSchema.safeParse(values);
  if (success) return data;
  const [issue] = error.issues;
  const param = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path[0];
  throw new AppError('invalid_parameter', {
    ...(param !== undefined && { param: String(param).slice(0, 40) }),
    detail: issue?.code === 'unrecognized_keys' ? 'This form has no such field.' : issue?.message,
  });
}

export async function findContactPage(
  { settings }: Pick<Deps, 'settings'>,
  url: string,
): Promise<FoundPage | undefined> {
  return pathOf(url) === sitePaths.contact ? { page: contactDocument(await settings.read('site')) } : undefined;
}

const contactDocument = (site: SiteSettings): PageDocument => ({
  ...findDocument(sitePaths.contact),
  tags: (settings) => {
    const { siteName, company, supportEmail: email } = settings.site;
    const name = company || siteName;
    const mainEntity = { '@type': 'Organization', name, url: siteUrlOf(settings, '/'), email };
    return [renderStructuredData({ '@type': 'ContactPage', url: siteUrlOf(settings, sitePaths.contact), mainEntity })];
  },
  body: bodyOf(site),
});

function bodyOf(site: SiteSettings): string {
  const channels = listContactChannels(site).map(
    ({ name, text, email }) =>
      `<h2>${escapeHtml(name)}</h2><p>${escapeHtml(text)}</p><p><a href="mailto:${escapeHtml(email)}">${escapeHtml(email)}</a></p>`,
  );
  const facts = [site.supportHours, [site.company, site.companyAddress].filter(Boolean).join(', ')];
  const lines = facts.filter(Boolean).map((line) => `<p>${escapeHtml(line)}</p>`);
  const links = contactLinks.map(({ label, to }) => `<li>${link(to, label)}</li>`);
  const ways = `<h2>Quick links</h2><ul>${links.join('')}</ul>`;
  return `<main><h1>Contact</h1><p>${replyPromise}</p>${[...channels, ...lines, ways].join('')}</main>`;
}
