import * as z from 'zod';
import { limits } from '../policy/limits.ts';
import {
  acceptTermsBodySchema,
  accountViewSchema,
  deletionSchema,
  emailBodySchema,
  enableTwoFactorBodySchema,
  exportSchema,
  forgotBodySchema,
  messageSchema,
  passwordBodySchema,
  profileBodySchema,
  proofBodySchema,
  recoveryCodesLeftSchema,
  recoveryCodesSchema,
  resetBodySchema,
  sessionSchema,
  stepUpBodySchema,
  tokenBodySchema,
  twoFactorSetupSchema,
} from '../schemas/account.ts';
import {
  newPasskeyBodySchema,
  passkeyOptionsSchema,
  passkeySchema,
  passkeySignInBodySchema,
  renamePasskeyBodySchema,
} from '../schemas/passkeys.ts';
import { loginBodySchema, registerBodySchema, userSchema } from '../schemas/user.ts';
import { bytes, defineEndpoints, idParams, nothing } from './endpoint.ts';

const badCode = ['two_factor_required', 'bad_two_factor_code', 'too_many_attempts'] as const;
/** Errors of calls that ask for the password again. */
const unproven = ['wrong_password', ...badCode] as const;
const newPassword = ['password_too_short', 'password_too_common'] as const;

/** Sign-in, and what a user does with the own account. */
export const accountEndpoints = {
  ...defineEndpoints('none', {
    register: {
      body: registerBodySchema,
      answers: { 201: userSchema },
      errors: [...newPassword, 'email_taken', 'registration_closed'],
    },
    login: {
      body: loginBodySchema,
      answers: { 200: userSchema },
      errors: [...badCode, 'bad_credentials', 'account_suspended'],
    },
    loginPage: {
      // A page must open with any query.
      query: z.object({ next: z.string().optional(), tab: z.enum(['sign-up']).optional().catch(undefined) }),
      answers: { 302: nothing },
    },
    logout: { answers: { 204: nothing } },
    startPasskeySignIn: { answers: { 200: passkeyOptionsSchema } },
    signInWithPasskey: {
      body: passkeySignInBodySchema,
      answers: { 200: userSchema },
      errors: ['bad_passkey', 'account_suspended', 'too_many_attempts'],
    },
    forgotPassword: { body: forgotBodySchema, answers: { 200: messageSchema } },
    verifyEmail: { body: tokenBodySchema, answers: { 200: messageSchema }, errors: ['invalid_token', 'email_taken'] },
  }),
  ...defineEndpoints('optional', {
    resetPassword: {
      body: resetBodySchema,
      answers: { 200: messageSchema },
      errors: [...newPassword, 'password_unchanged', 'invalid_token', 'link_held'],
    },
  }),
  ...defineEndpoints('session', {
    user: { answers: { 200: userSchema } },
    authUser: { answers: { 200: userSchema } },
    updateProfile: { body: profileBodySchema, answers: { 200: userSchema } },
    changePassword: {
      body: passwordBodySchema,
      answers: { 200: messageSchema },
      errors: [...unproven, ...newPassword, 'password_unchanged'],
    },
    /** Accepts the newest version of the terms of service. */
    acceptTerms: { body: acceptTermsBodySchema, answers: { 204: nothing } },
    stepUp: {
      body: stepUpBodySchema,
      answers: { 204: nothing },
      errors: ['wrong_password', 'bad_two_factor_code', 'two_factor_state', 'too_many_attempts'],
    },
    changeEmail: { body: emailBodySchema, answers: { 202: messageSchema }, errors: unproven },
    requestExport: { body: proofBodySchema, answers: { 202: exportSchema }, errors: unproven },
    listExports: { answers: { 200: z.array(exportSchema) } },
    downloadExport: {
      params: idParams,
      answers: { 200: bytes, 206: bytes },
      errors: ['export_not_found', 'range_not_satisfiable'],
    },
    deleteAccount: { body: proofBodySchema, answers: { 202: deletionSchema }, errors: [...unproven, 'own_account'] },
    keepAccount: { answers: { 200: userSchema } },
    resendVerification: {
      query: z.object({ next: z.string().max(limits.nextLength).optional() }),
      answers: { 200: messageSchema },
    },
    listSessions: { answers: { 200: z.array(sessionSchema) } },
    endSession: { params: idParams, answers: { 204: nothing }, errors: ['session_not_found'] },
    endSessions: { answers: { 204: nothing } },
    listViews: { answers: { 200: z.array(accountViewSchema) } },
    endView: { answers: { 204: nothing } },
    setUpTwoFactor: {
      body: proofBodySchema,
      answers: { 200: twoFactorSetupSchema },
      errors: [...unproven, 'email_unverified', 'two_factor_state'],
    },
    enableTwoFactor: {
      body: enableTwoFactorBodySchema,
      answers: { 200: recoveryCodesSchema },
      errors: ['email_unverified', 'bad_two_factor_code', 'two_factor_state', 'too_many_attempts'],
    },
    countRecoveryCodes: { answers: { 200: recoveryCodesLeftSchema } },
    renewRecoveryCodes: {
      body: proofBodySchema,
      answers: { 200: recoveryCodesSchema },
      errors: [...unproven, 'two_factor_state'],
    },
    startPasskeyRegistration: {
      body: proofBodySchema,
      answers: { 200: passkeyOptionsSchema },
      errors: [...unproven, 'email_unverified', 'passkey_limit'],
    },
    registerPasskey: {
      body: newPasskeyBodySchema,
      answers: { 201: passkeySchema },
      errors: ['bad_passkey', 'passkey_limit'],
    },
    listPasskeys: { answers: { 200: z.array(passkeySchema) } },
    renamePasskey: {
      params: idParams,
      body: renamePasskeyBodySchema,
      answers: { 200: passkeySchema },
      errors: ['passkey_not_found'],
    },
    deletePasskey: {
      params: idParams,
      answers: { 204: nothing },
      errors: ['passkey_not_found', 'step_up_required'],
    },
    disableTwoFactor: { body: proofBodySchema, answers: { 204: nothing }, errors: [...unproven, 'two_factor_state'] },
  }),
};
