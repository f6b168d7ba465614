import type { RouteName } from '@uprez/contracts/endpoints/routes';
import { expect, it } from 'vitest';
import { toRejectedAudit } from './audit-requests.ts';

const actionOf = (name: RouteName, body: object) =>
  toRejectedAudit({ name, auth: 'admin', stepUp: false, charges: false, processes: false }, { params: {}, body })
    .action;

it.each([
  ['adminUpdateUser', 'suspended', ['user.suspend', 'user.restore']],
  ['adminUpdateCoupon', 'disabled', ['coupon.disable', 'coupon.enable']],
  ['adminToggleApiKey', 'isActive', ['api_key.activate', 'api_key.deactivate']],
  ['adminPauseEngine', 'paused', ['engine.pause', 'engine.resume']],
  ['adminDrainWorker', 'draining', ['worker.drain', 'worker.resume']],
  ['adminDrainWorkers', 'draining', ['worker.drain', 'worker.resume']],
] as const)('names the action of %s by what %s would become', (name, field, actions) => {
  expect([true, false].map((value) => actionOf(name, { [field]: value }))).toEqual(actions);
});

it('names the action of a ticket by its state, or as an assignment, and of an article by its time', () => {
  const states = ['closed', 'open', 'spam', undefined].map((state) => actionOf('adminChangeTicket', { state }));
  expect(states).toEqual(['ticket.close', 'ticket.reopen', 'ticket.spam', 'ticket.assign']);
  const times = [undefined, '2100-01-01T00:00:00.000Z'];
  expect(times.map((publishAt) => actionOf('adminPublishArticle', { publishAt }))).toEqual([
    'article.publish',
    'article.schedule',
  ]);
});
