import { routes } from '@uprez/contracts/endpoints/routes';
import type { ExportView } from '@uprez/contracts/schemas/account';
import { accountResponses } from '@uprez/contracts/texts/answers';
import { changeEmail, resendVerification, verifyEmail } from '@uprez/domain/accounts/change-email';
import { cancelAccountDeletion, deleteAccount } from '@uprez/domain/accounts/own-data/delete-account';
import { type AccountExport, getExportFile, listExports, requestExport } from '@uprez/domain/accounts/own-data/exports';
import { changePassword, requestPasswordReset, resetPassword } from '@uprez/domain/accounts/reset-password';
import { stepUp } from '@uprez/domain/accounts/step-up';
import { acceptTerms } from '@uprez/domain/accounts/terms';
import {
  countRecoveryCodes,
  disableTwoFactor,
  enableTwoFactor,
  renewRecoveryCodes,
  setUpTwoFactor,
} from '@uprez/domain/accounts/two-factor';
import { updateProfile } from '@uprez/domain/accounts/update-profile';
import type { Deps } from '../../deps.ts';
import { findUser, requireUser } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';
import { makeAccountCallbacks } from '../../http/record-requests.ts';
import { lookUpSecret } from '../../http/request-callers.ts';
import { isViewRequest } from '../../http/views.ts';
import { sendObject } from '../files/send-object.ts';
import { readDevice, setDeviceCookie, setSessionCookie } from './cookies.ts';
import { presentUser } from './present-user.ts';

export const accountHandlers = (deps: Deps) =>
  defineHandlers({
    updateProfile: async (request) => {
      const user = await updateProfile(deps, { user: await requireUser(deps, request), ...request.body });
      return presentUser(deps, user);
    },
    changePassword: async (request, reply) => {
      const secret = await changePassword(deps, { user: await requireUser(deps, request), ...request.body });
      await setSessionCookie(reply, deps.config, secret);
      return { message: accountResponses.passwordChanged };
    },
    acceptTerms: async (request, reply) => {
      const { id: userId } = await requireUser(deps, request);
      await acceptTerms(deps, { userId, ...request.body, address: request.ip });
      return reply.status(204).send(null);
    },
    stepUp: async (request, reply) => {
      await stepUp(deps, { user: await requireUser(deps, request), ...request.body });
      return reply.status(204).send(null);
    },
    changeEmail: async (request, reply) => {
      await changeEmail(deps, { user: await requireUser(deps, request), ...request.body });
      return reply.status(202).send({ message: accountResponses.emailChangeAsked });
    },
    forgotPassword: async (request) => {
      await requestPasswordReset(deps, request.body.email);
      return { message: accountResponses.resetAsked };
    },
    resetPassword: async (request, reply) => {
      const device = readDevice(request, deps.config);
      const signedInAs = (await findUser(deps, request))?.id;
      const find = () => resetPassword(deps, { ...request.body, device, signedInAs, ...makeAccountCallbacks(request) });
      const deviceSecret = await lookUpSecret(request, { sort: 'reset', secret: request.body.token, find });
      setDeviceCookie(reply, deps.config, deviceSecret);
      return { message: accountResponses.passwordReset };
    },
    verifyEmail: async (request) => {
      const { token } = request.body;
      await lookUpSecret(request, { sort: 'confirmation', secret: token, find: () => verifyEmail(deps, token) });
      return { message: accountResponses.emailConfirmed };
    },
    resendVerification: async (request) => ({
      message: await resendVerification(deps, {
        userId: (await requireUser(deps, request)).id,
        next: request.query.next,
      }),
    }),
  });

export const twoFactorHandlers = (deps: Deps) =>
  defineHandlers({
    setUpTwoFactor: async (request) =>
      setUpTwoFactor(deps, { user: await requireUser(deps, request), ...request.body }),
    enableTwoFactor: async (request, reply) => {
      const user = await requireUser(deps, request);
      const { recoveryCodes, sessionSecret } = await enableTwoFactor(deps, { user, code: request.body.code });
      await setSessionCookie(reply, deps.config, sessionSecret);
      return { recoveryCodes };
    },
    countRecoveryCodes: async (request) => ({
      left: await countRecoveryCodes(deps, (await requireUser(deps, request)).id),
    }),
    renewRecoveryCodes: async (request) => ({
      recoveryCodes: await renewRecoveryCodes(deps, { user: await requireUser(deps, request), ...request.body }),
    }),
    disableTwoFactor: async (request, reply) => {
      const secret = await disableTwoFactor(deps, { user: await requireUser(deps, request), ...request.body });
      await setSessionCookie(reply, deps.config, secret);
      return reply.status(204).send(null);
    },
  });

export const ownDataHandlers = (deps: Deps) =>
  defineHandlers({
    requestExport: async (request, reply) => {
      const task = await requestExport(deps, { user: await requireUser(deps, request), ...request.body });
      return reply.status(202).send(presentExport(task));
    },
    listExports: async (request) =>
      (await listExports(deps, { user: await requireUser(deps, request) }))
        .map(presentExport)
        .map((shown) => (isViewRequest(request) ? { ...shown, downloadUrl: null } : shown)),
    downloadExport: async (request, reply) => {
      const user = await requireUser(deps, request);
      const { object, createdAt } = await getExportFile(deps, { user, id: request.params.id });
      const filename = `export-${createdAt.toISOString().slice(0, 10)}.zip`;
      const sent = {
        object,
        accountId: user.id,
        mimeType: 'application/zip',
        filename,
        disposition: 'attachment',
      } as const;
      return sendObject(deps, { request, reply }, { ...sent, mayKeep: false, whenGone: 'export_not_found' });
    },
    deleteAccount: async (request, reply) => {
      const user = await requireUser(deps, request);
      const { deletesAt, sessionSecret } = await deleteAccount(deps, { user, ...request.body });
      await setSessionCookie(reply, deps.config, sessionSecret);
      return reply.status(202).send({ deletesAt: deletesAt.toISOString() });
    },
    keepAccount: async (request) => {
      const { kept, isPlanEnding } = await cancelAccountDeletion(deps, { user: await requireUser(deps, request) });
      if (isPlanEnding && deps.config.payments) {
        // If this fails, the dispatcher retries it.
        const { payments, verbs } = await deps.billing.get();
        await verbs.keepStaying({ db: deps.db, log: deps.log, payments }, kept.id);
      }
      return presentUser(deps, kept);
    },
  });

const presentExport = (task: AccountExport): ExportView => ({
  id: task.id,
  status: task.status === 'done' && !task.hasFile ? 'expired' : task.status,
  createdAt: task.createdAt.toISOString(),
  expiresAt: task.expiresAt?.toISOString() ?? null,
  sizeBytes: task.hasFile ? task.size : null,
  downloadUrl: task.hasFile ? routes.downloadExport.path.replace(':id', task.id) : null,
});
