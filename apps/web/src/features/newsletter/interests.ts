import type { Topic } from '@uprez/contracts/policy/newsletter';
import { type StatusService, statusServices } from '@uprez/contracts/policy/status';
import * as z from 'zod';
import { newsletterMessages } from './messages.ts';

/** Chosen services of the topic `status`. Null: all of them, also future ones. */
export type ChosenServices = StatusService[] | null;

/** The field of the services, if the topic `status` is chosen. */
export const chosenServicesSchema = z
  .array(z.enum(statusServices))
  .min(1, newsletterMessages.services.missing)
  .nullable();

export const toChosen = (services: readonly StatusService[]): ChosenServices =>
  services.length === 0 ? null : [...services];

/** The services that are sent: of the topic `status` only, and none for all of them. */
export const toServices = (topics: readonly Topic[], chosen: ChosenServices): StatusService[] =>
  topics.includes('status') ? (chosen ?? []) : [];
