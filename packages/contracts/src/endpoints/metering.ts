import * as z from 'zod';
import { grantBodySchema, grantSchema, ledgerEntrySchema, ledgerQuerySchema } from '../schemas/metering.ts';
import { type Endpoint, idParams, signedIn, write } from './endpoint.ts';

const admin = [...signedIn, 'admin_only', 'admin_two_factor', 'invalid_parameter', 'user_not_found'] as const;
const ledger = { query: ledgerQuerySchema, answers: { 200: z.array(ledgerEntrySchema) } } as const;

/** Every unit with its reason, and what administrators give. */
export const meteringEndpoints = {
  listLedger: { ...ledger, errors: [...signedIn, 'invalid_parameter'], auth: 'session' },
  adminListLedger: { ...ledger, params: idParams, errors: admin, auth: 'admin' },
  adminGrantUnits: {
    params: idParams,
    body: grantBodySchema,
    answers: { 201: grantSchema },
    errors: [...admin, ...write],
    auth: 'admin',
  },
} as const satisfies Record<string, Endpoint>;
