import { createHmac } from 'node:crypto';

/** Returns the `Stripe-Signature` header for a body. `time` is in seconds since the epoch. */
export function signPayload(body: string, { secret, time }: { secret: string; time: number }): string {
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return `t=${time},v1=${signature}`;
}
