import { type ContactFields, contactFieldsSchema } from '@uprez/contracts/schemas/contact';
import * as z from 'zod';

const textSchema = z.partialRecord(
  z.enum(Object.keys(contactFieldsSchema.shape) as (keyof ContactFields)[]),
  z.string(),
);

/** `form`: the slug of a position, or empty. */
const nameOf = (form: string) => `uprez.contact.${form}`;

/** The browser may deny storage, and stored texts may be of another version. */
function ignoreErrors<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Keeps what was typed, so that it survives a reload of this tab. Signing out removes it. */
export const keepMessage = (form: string, fields: object): void =>
  void ignoreErrors(() => sessionStorage.setItem(nameOf(form), JSON.stringify(fields)));

export const forgetMessage = (form: string): void => void ignoreErrors(() => sessionStorage.removeItem(nameOf(form)));

export const readMessage = (form: string): Partial<ContactFields> =>
  (ignoreErrors(() => textSchema.parse(JSON.parse(sessionStorage.getItem(nameOf(form)) ?? '{}'))) as
    | Partial<ContactFields>
    | undefined) ?? {};
