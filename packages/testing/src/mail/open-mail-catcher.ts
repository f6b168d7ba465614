import { randomBytes } from 'node:crypto';
import {
  type MailCatcher,
  type MailCatcherOptions,
  openMailCatcher as open,
} from '@uprez/local-stack/mail/open-mail-catcher';

/** A mail server of this file's own that catches everything. Its `env` points a product at it, its `url` is its page. */
export function openMailCatcher(options: Omit<MailCatcherOptions, 'user' | 'password'> = {}): Promise<MailCatcher> {
  return open({ user: 'uprez', password: randomBytes(16).toString('hex'), ...options });
}
