import { Webhook } from 'standardwebhooks';

export type Signing = { id: string; at: Date; body: string; secrets: readonly string[] };

/** The headers of a Standard Webhook: one signature for each secret that counts now. */
export const signEvent = ({ id, at, body, secrets }: Signing): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
  'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
});
