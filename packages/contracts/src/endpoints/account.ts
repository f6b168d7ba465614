import * as z from 'zod';
import {
  deletionSchema,
  emailBodySchema,
  enableTwoFactorBodySchema,
  exportSchema,
  forgotBodySchema,
  messageSchema,
  passwordBodySchema,
  profileBodySchema,
  proofBodySchema,
  recoveryCodesSchema,
  resetBodySchema,
  sessionSchema,
  tokenBodySchema,
  twoFactorSetupSchema,
} from '../schemas/account.ts';
import { loginBodySchema, registerBodySchema, userSchema } from '../schemas/user.ts';
import { bytes, type Endpoint, idParams, nothing, signedIn, write } from './endpoint.ts';

const bad = [...write, 'invalid_parameter'] as const;
const own = [...signedIn, ...bad] as const;
/** Calls that ask for the password again. */
const proven = [...own, 'wrong_password', 'two_factor_required', 'bad_two_factor_code', 'too_many_attempts'] as const;
const newPassword = ['password_too_short', 'password_too_common'] as const;

/** Sign-in, and what a user does with the own account. */
export const accountEndpoints = {
  register: {
    body: registerBodySchema,
    answers: { 201: userSchema },
    errors: [...bad, ...newPassword, 'email_taken', 'registration_closed'],
    auth: 'none',
  },
  login: {
    body: loginBodySchema,
    answers: { 200: userSchema },
    errors: [
      ...bad,
      'bad_credentials',
      'two_factor_required',
      'bad_two_factor_code',
      'account_suspended',
      'too_many_attempts',
    ],
    auth: 'none',
  },
  loginPage: {
    query: z.object({ next: z.string().optional() }),
    answers: { 302: nothing },
    errors: ['invalid_parameter'],
    auth: 'none',
  },
  logout: { answers: { 204: nothing }, errors: [...write], auth: 'none' },
  user: { answers: { 200: userSchema }, errors: [...signedIn], auth: 'session' },
  authUser: { answers: { 200: userSchema }, errors: [...signedIn], auth: 'session' },
  updateProfile: { body: profileBodySchema, answers: { 200: userSchema }, errors: own, auth: 'session' },
  changePassword: {
    body: passwordBodySchema,
    answers: { 200: messageSchema },
    errors: [...proven, ...newPassword],
    auth: 'session',
  },
  changeEmail: { body: emailBodySchema, answers: { 202: messageSchema }, errors: proven, auth: 'session' },
  requestExport: { body: proofBodySchema, answers: { 202: exportSchema }, errors: proven, auth: 'session' },
  listExports: { answers: { 200: z.array(exportSchema) }, errors: [...signedIn], auth: 'session' },
  downloadExport: {
    params: idParams,
    answers: { 200: bytes, 206: bytes },
    errors: [...signedIn, 'export_not_found'],
    auth: 'session',
  },
  deleteAccount: {
    body: proofBodySchema,
    answers: { 202: deletionSchema },
    errors: [...proven, 'own_account'],
    auth: 'session',
  },
  keepAccount: { answers: { 200: userSchema }, errors: [...signedIn, ...write], auth: 'session' },
  forgotPassword: { body: forgotBodySchema, answers: { 200: messageSchema }, errors: bad, auth: 'none' },
  resetPassword: {
    body: resetBodySchema,
    answers: { 200: messageSchema },
    errors: [...bad, ...newPassword, 'invalid_token'],
    auth: 'none',
  },
  verifyEmail: {
    body: tokenBodySchema,
    answers: { 200: messageSchema },
    errors: [...bad, 'invalid_token', 'email_taken'],
    auth: 'none',
  },
  resendVerification: { answers: { 200: messageSchema }, errors: [...signedIn, ...write], auth: 'session' },
  listSessions: { answers: { 200: z.array(sessionSchema) }, errors: [...signedIn], auth: 'session' },
  endSession: {
    params: idParams,
    answers: { 204: nothing },
    errors: [...signedIn, ...write, 'session_not_found'],
    auth: 'session',
  },
  endSessions: { answers: { 204: nothing }, errors: [...signedIn, ...write], auth: 'session' },
  setUpTwoFactor: {
    body: proofBodySchema,
    answers: { 200: twoFactorSetupSchema },
    errors: [...proven, 'email_unverified', 'two_factor_state'],
    auth: 'session',
  },
  enableTwoFactor: {
    body: enableTwoFactorBodySchema,
    answers: { 200: recoveryCodesSchema },
    errors: [...own, 'email_unverified', 'bad_two_factor_code', 'two_factor_state', 'too_many_attempts'],
    auth: 'session',
  },
  disableTwoFactor: {
    body: proofBodySchema,
    answers: { 204: nothing },
    errors: [...proven, 'two_factor_state'],
    auth: 'session',
  },
} as const satisfies Record<string, Endpoint>;
