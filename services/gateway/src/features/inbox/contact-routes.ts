import type { SpamReason } from '@uprez/contracts/policy/tickets';
import { receiveContact } from '@uprez/domain/inbox/receive-contact';
import { abandonAttachments } from '@uprez/domain/inbox/store-attachment';
import type { Deps } from '../../deps.ts';
import { findUser } from '../../http/authenticate.ts';
import { countAs } from '../../http/rate-limit.ts';
import type { Dialect } from '../dialect.ts';
import { judgeFormToken, makeFormToken } from './form-token.ts';
import { receiveContactForm } from './receive-form.ts';

/** The contact form. */
export function registerContactRoutes({ route }: Dialect, deps: Deps): void {
  const secrets = deps.config.URL_SECRET;
  route('openContactForm', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { token: makeFormToken(secrets[0]) };
  });
  route('sendContact', async (request, reply) => {
    const user = await findUser(deps, request);
    const { form, files } = await receiveContactForm(deps, request);
    const hidden: SpamReason[] = form.website === '' ? [] : ['hidden_field'];
    const spamReasons = [...hidden, ...judgeFormToken(secrets, form.formToken)];
    try {
      // Forms that are rejected mustn't use up the messages of people who correct them.
      await countAs('messages', request, reply);
      const received = await receiveContact(deps, { form, files, accountId: user?.id, spamReasons });
      return reply.status(201).send(received);
    } catch (error) {
      await abandonAttachments(deps, files);
      throw error;
    }
  });
}
