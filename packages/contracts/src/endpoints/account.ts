import * as z from 'zod';
import { limits } from '../policy/limits.ts';
import {
  acceptTermsBodySchema,
  accountViewSchema,
  deletionSchema,
  emailBodySchema,
  enableTwoFactorBodySchema,
  exportSchema,
  forgotPasswordBodySchema,
  messageSchema,
  passwordBodySchema,
  profileBodySchema,
  proofBodySchema,
  recoveryCodeCountSchema,
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
import { bytesSchema, defineEndpoints, emptySchema } from './endpoint.ts';

const twoFactorErrors = ['two_factor_required', 'bad_two_factor_code', 'too_many_attempts'] as const;
const passwordProofErrors = ['wrong_password', ...twoFactorErrors] as const;
const newPasswordErrors = ['password_too_short', 'password_too_common'] as const;

export const accountEndpoints = {
  ...defineEndpoints('none', {
    register: {
      route: 'POST /api/register',
      body: registerBodySchema,
      answers: { 201: userSchema },
      errors: [...newPasswordErrors, 'email_taken', 'registration_closed'],
    },
    login: {
      route: 'POST /api/login',
      body: loginBodySchema,
      answers: { 200: userSchema },
      errors: [...twoFactorErrors, 'bad_credentials', 'account_suspended'],
    },
    loginPage: {
      route: 'GET /api/login',
      // Ignores an unknown `tab`, because the page must open with any query string.
      query: z.object({ next: z.string().optional(), tab: z.enum(['sign-up']).optional().catch(undefined) }),
      answers: { 302: emptySchema },
    },
    logout: { route: 'POST /api/logout', answers: { 204: emptySchema } },
    startPasskeySignIn: { route: 'POST /api/passkeys/sign-in/options', answers: { 200: passkeyOptionsSchema } },
    signInWithPasskey: {
      route: 'POST /api/passkeys/sign-in',
      body: passkeySignInBodySchema,
      answers: { 200: userSchema },
      errors: ['bad_passkey', 'account_suspended', 'too_many_attempts'],
    },
    forgotPassword: {
      route: 'POST /api/forgot-password',
      body: forgotPasswordBodySchema,
      answers: { 200: messageSchema },
    },
    verifyEmail: {
      route: 'POST /api/verify-email',
      body: tokenBodySchema,
      answers: { 200: messageSchema },
      errors: ['invalid_token', 'email_taken'],
    },
  }),
  ...defineEndpoints('optional', {
    resetPassword: {
      route: 'POST /api/reset-password',
      body: resetBodySchema,
      answers: { 200: messageSchema },
      errors: [...newPasswordErrors, 'password_unchanged', 'invalid_token', 'link_held'],
    },
  }),
  ...defineEndpoints('session', {
    user: { route: 'GET /api/user', answers: { 200: userSchema } },
    authUser: { route: 'GET /api/auth/user', answers: { 200: userSchema } },
    updateProfile: { route: 'PATCH /api/user', body: profileBodySchema, answers: { 200: userSchema } },
    changePassword: {
      route: 'POST /api/user/password',
      body: passwordBodySchema,
      answers: { 200: messageSchema },
      errors: [...passwordProofErrors, ...newPasswordErrors, 'password_unchanged'],
    },
    acceptTerms: { route: 'POST /api/user/terms', body: acceptTermsBodySchema, answers: { 204: emptySchema } },
    stepUp: {
      route: 'POST /api/user/step-up',
      body: stepUpBodySchema,
      answers: { 204: emptySchema },
      errors: ['wrong_password', 'bad_two_factor_code', 'two_factor_state', 'too_many_attempts'],
    },
    changeEmail: {
      route: 'POST /api/user/email',
      body: emailBodySchema,
      answers: { 202: messageSchema },
      errors: passwordProofErrors,
    },
    requestExport: {
      route: 'POST /api/user/export',
      body: proofBodySchema,
      answers: { 202: exportSchema },
      errors: passwordProofErrors,
    },
    listExports: { route: 'GET /api/user/export', answers: { 200: z.array(exportSchema) } },
    downloadExport: {
      route: 'GET /api/user/export/:id',
      answers: { 200: bytesSchema, 206: bytesSchema },
      errors: ['export_not_found', 'range_not_satisfiable'],
    },
    deleteAccount: {
      route: 'DELETE /api/user',
      body: proofBodySchema,
      answers: { 202: deletionSchema },
      errors: [...passwordProofErrors, 'own_account'],
    },
    keepAccount: { route: 'POST /api/user/keep', answers: { 200: userSchema } },
    resendVerification: {
      route: 'POST /api/verify-email/resend',
      query: z.object({ next: z.string().max(limits.nextLength).optional() }),
      answers: { 200: messageSchema },
    },
    listSessions: { route: 'GET /api/sessions', answers: { 200: z.array(sessionSchema) } },
    endSession: {
      route: 'DELETE /api/sessions/:id',
      answers: { 204: emptySchema },
      errors: ['session_not_found'],
    },
    endSessions: { route: 'DELETE /api/sessions', answers: { 204: emptySchema } },
    listViews: { route: 'GET /api/user/views', answers: { 200: z.array(accountViewSchema) } },
    endView: { route: 'DELETE /api/view-as', answers: { 204: emptySchema } },
    setUpTwoFactor: {
      route: 'POST /api/2fa/setup',
      body: proofBodySchema,
      answers: { 200: twoFactorSetupSchema },
      errors: [...passwordProofErrors, 'email_unverified', 'two_factor_state'],
    },
    enableTwoFactor: {
      route: 'POST /api/2fa/enable',
      body: enableTwoFactorBodySchema,
      answers: { 200: recoveryCodesSchema },
      errors: ['email_unverified', 'bad_two_factor_code', 'two_factor_state', 'too_many_attempts'],
    },
    countRecoveryCodes: { route: 'GET /api/2fa/recovery-codes', answers: { 200: recoveryCodeCountSchema } },
    renewRecoveryCodes: {
      route: 'POST /api/2fa/recovery-codes',
      body: proofBodySchema,
      answers: { 200: recoveryCodesSchema },
      errors: [...passwordProofErrors, 'two_factor_state'],
    },
    startPasskeyRegistration: {
      route: 'POST /api/passkeys/options',
      body: proofBodySchema,
      answers: { 200: passkeyOptionsSchema },
      errors: [...passwordProofErrors, 'email_unverified', 'passkey_limit'],
    },
    registerPasskey: {
      route: 'POST /api/passkeys',
      body: newPasskeyBodySchema,
      answers: { 201: passkeySchema },
      errors: ['bad_passkey', 'passkey_limit'],
    },
    listPasskeys: { route: 'GET /api/passkeys', answers: { 200: z.array(passkeySchema) } },
    renamePasskey: {
      route: 'PATCH /api/passkeys/:id',
      body: renamePasskeyBodySchema,
      answers: { 200: passkeySchema },
      errors: ['passkey_not_found'],
    },
    deletePasskey: {
      route: 'DELETE /api/passkeys/:id',
      answers: { 204: emptySchema },
      errors: ['passkey_not_found', 'step_up_required'],
    },
    disableTwoFactor: {
      route: 'POST /api/2fa/disable',
      body: proofBodySchema,
      answers: { 204: emptySchema },
      errors: [...passwordProofErrors, 'two_factor_state'],
    },
  }),
};
