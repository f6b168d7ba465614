import { fileFixture } from '@uprez/testing/fixtures';
import { openTestContext } from '@uprez/testing/open-test-context';
import { onTestFinished } from 'vitest';
import { openWebhookSender } from '../../src/deliveries/open-webhook-sender.ts';
import { type Answer, openReceiver } from './open-receiver.ts';
import { senderOf } from './webhook-world.ts';

/** Opens a receiver and a sender that reaches it for the tests of a file. `send` runs the sender until the test ends. */
export function openWebhookFixtures(answers: Record<string, Answer>) {
  const ctx = fileFixture(openTestContext);
  const receiver = fileFixture(() => openReceiver(answers));
  const sender = fileFixture(async () => senderOf(ctx, receiver));
  const send = () => onTestFinished(openWebhookSender(sender, 20).close);
  return { ctx, receiver, sender, send };
}
