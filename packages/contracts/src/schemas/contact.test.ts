// cspell:ignore محمد
import { expect, it } from 'vitest';
import type * as z from 'zod';
import { contactFieldsSchema, createLeadBodySchema } from './contact.ts';

const lead = { name: 'Ada', email: 'ada@engine.example', company: 'Engines', message: 'Hello' };
const message = {
  ...{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@engine.example', company: 'Engines' },
  ...{ inquiryType: 'general', subject: 'Hello', message: 'Hello' },
};
const names: readonly [string, z.ZodType, Record<string, string>][] = [
  ['firstName', contactFieldsSchema, message],
  ['lastName', contactFieldsSchema, message],
  ['company', contactFieldsSchema, message],
  ['name', createLeadBodySchema, lead],
  ['company', createLeadBodySchema, lead],
];

it.each(names)('accepts and refuses the same names as accounts in the field %s', (field, schema, sent) => {
  for (const name of ['محمد\u200F', 'Ada 👩\u200D💻', "O'Hara"])
    expect(schema.parse({ ...sent, [field]: name })).toMatchObject({ [field]: name });
  for (const name of ['\u202EadA', '\u2067Ada\u2069', '\u200B\u200D', 'ada＠engine.example', 'ada﹫engine.example'])
    expect(schema.safeParse({ ...sent, [field]: name }).success, JSON.stringify(name)).toBe(false);
});
