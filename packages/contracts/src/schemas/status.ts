import * as z from 'zod';
import { limits } from '../policy/limits.ts';
import {
  allIncidentStates,
  incidentSeverities,
  incidentStates,
  maintenanceStates,
  overrideStates,
  probeStates,
  serviceStates,
  severities,
  statusRules,
  statusServices,
} from '../policy/status.ts';
import { toV1Schema } from '../v1/to-v1-schema.ts';
import { makeFilterFields, tablePageFields } from './admin/table.ts';
import { publicJobSchema } from './jobs/job.ts';
import { storedTextSchema } from './stored-text.ts';
import { timeSchema } from './time.ts';
import { lineSchema, requiredLineSchema, toNameSchema } from './user.ts';

const serviceSchema = z.enum(statusServices);
/** Proportion of time, from 0 to 1. Null if too little time was observed. */
const shareSchema = z.number().nullable();

/** Seconds that a service spent in each state on a day (UTC). All are 0 on days before the first probe. */
const statusDaySchema = z.object({
  day: z.iso.date(),
  up: z.int(),
  degraded: z.int(),
  down: z.int(),
  maintenance: z.int(),
  unknown: z.int(),
});
export type StatusDay = z.infer<typeof statusDaySchema>;

const serviceStatusSchema = z.object({
  service: serviceSchema,
  name: z.string(),
  state: z.enum(serviceStates),
  /** Uptime over the last 30 days: `up / (up + down)`, where degraded time counts as up. */
  uptime: shareSchema,
  /** Proportion of the last 30 days that is covered by probes or announced maintenance. */
  coverage: shareSchema,
  /** Average duration of successful probes, in milliseconds. */
  responseMs: z.int().nullable(),
  /** The last 90 days, the oldest first. */
  days: z.array(statusDaySchema),
});
export type ServiceStatus = z.infer<typeof serviceStatusSchema>;

const incidentUpdateSchema = z.object({
  id: z.uuid(),
  state: z.enum(allIncidentStates),
  text: z.string(),
  at: z.iso.datetime(),
});
export type IncidentUpdate = z.infer<typeof incidentUpdateSchema>;

export const incidentSchema = z.object({
  id: z.uuid(),
  title: z.string(),
  severity: z.enum(severities),
  state: z.enum(allIncidentStates),
  services: z.array(serviceSchema),
  /** For maintenance, the planned time until it has actually started or ended. */
  startsAt: z.iso.datetime(),
  /** Null while an incident is ongoing. */
  endsAt: z.iso.datetime().nullable(),
  /** Newest first. */
  updates: z.array(incidentUpdateSchema),
});
export type Incident = z.infer<typeof incidentSchema>;

export const statusSchema = z.object({
  state: z.enum(serviceStates),
  description: z.string(),
  /** When the latest probe ran. */
  checkedAt: z.iso.datetime().nullable(),
  /**
   * Time of the earliest stored probe. If probes of earlier days were deleted, the start of the first of those days.
   */
  observedSince: z.iso.datetime().nullable(),
  uptime: shareSchema,
  coverage: shareSchema,
  responseMs: z.int().nullable(),
  /** Average processing time of images delivered in the last 30 days, in milliseconds. */
  processingMs: z.int().nullable(),
  services: z.array(serviceStatusSchema),
  /** Open incidents, followed by the latest ones that ended in the last 90 days. */
  incidents: z.array(incidentSchema),
  /** Maintenance that is scheduled or in progress, earliest first. */
  maintenance: z.array(incidentSchema),
});
export type Status = z.infer<typeof statusSchema>;

const titleSchema = toNameSchema(requiredLineSchema('Title is required')).max(
  statusRules.titleLength,
  `Title can't be longer than ${statusRules.titleLength} characters.`,
);
const textSchema = storedTextSchema
  .max(statusRules.textLength, `Update can't be longer than ${statusRules.textLength} characters.`)
  .refine((text) => text.trim() !== '', 'Update is required');
const servicesSchema = z
  .array(serviceSchema)
  .min(1, 'Choose at least one service.')
  .max(statusServices.length)
  .transform((services) => [...new Set(services)]);

/** Whether to email the update to subscribers. Defaults to false. Maintenance updates are always emailed. */
const notifySchema = z.boolean().optional();

export const createIncidentBodySchema = z.strictObject({
  title: titleSchema,
  severity: z.enum(incidentSeverities),
  state: z.enum(incidentStates).exclude(['resolved']),
  services: servicesSchema,
  text: textSchema,
  notify: notifySchema,
});
export type NewIncident = z.output<typeof createIncidentBodySchema>;

export const scheduleMaintenanceBodySchema = z
  .strictObject({
    title: titleSchema,
    services: servicesSchema,
    text: textSchema,
    startsAt: timeSchema,
    endsAt: timeSchema,
  })
  .refine(({ startsAt, endsAt }) => Date.parse(startsAt) < Date.parse(endsAt), {
    path: ['endsAt'],
    error: 'The end must be after the start.',
  });
export type NewMaintenance = z.output<typeof scheduleMaintenanceBodySchema>;

export const addUpdateBodySchema = z.strictObject({
  state: z.enum([...incidentStates, ...maintenanceStates]),
  text: textSchema,
  notify: notifySchema,
});
export type NewIncidentUpdate = z.output<typeof addUpdateBodySchema>;

export const serviceParams = z.object({ service: z.string() });
export const setOverrideBodySchema = z.strictObject({ state: z.enum(overrideStates), until: timeSchema });
export type NewServiceOverride = z.output<typeof setOverrideBodySchema>;

export const adminServiceSchema = z.object({
  service: serviceSchema,
  name: z.string(),
  state: z.enum(serviceStates),
  probe: z
    .object({ state: z.enum(probeStates), at: z.iso.datetime(), ms: z.int().nullable(), detail: z.string() })
    .nullable(),
  override: z.object({ state: z.enum(overrideStates), until: z.iso.datetime() }).nullable(),
});
export type AdminService = z.infer<typeof adminServiceSchema>;

/** `automatic`: whether probes opened the incident or wrote the update. */
export const adminIncidentSchema = incidentSchema.extend({
  automatic: z.boolean(),
  updates: z.array(
    incidentUpdateSchema.extend({ author: z.object({ email: z.string() }).nullable(), automatic: z.boolean() }),
  ),
});
export type AdminIncident = z.infer<typeof adminIncidentSchema>;

export const incidentsQuerySchema = z.object({
  search: lineSchema.max(limits.searchLength).optional(),
  ...makeFilterFields('incidents'),
  ...tablePageFields,
});
export const probesQuerySchema = z.object({
  /** Matches part of the reason for a failure. */
  search: lineSchema.max(limits.searchLength).optional(),
  ...makeFilterFields('probes'),
  ...tablePageFields,
});
export const probeSchema = z.object({
  id: z.uuid(),
  service: serviceSchema,
  at: z.iso.datetime(),
  state: z.enum(probeStates),
  ms: z.int().nullable(),
  detail: z.string(),
});
export type Probe = z.infer<typeof probeSchema>;

export const probeAccountSchema = z.object({
  id: z.string(),
  email: z.string(),
  password: z.string(),
  /** Secret of a sandbox key. */
  apiKey: z.string(),
  /**
   * Device cookie from the latest sign-in. Probes send it, because a successful sign-in resets the attempt counter only
   * on a known device.
   */
  device: z.string().optional(),
});
export type ProbeAccount = z.infer<typeof probeAccountSchema>;

export const probeJobSchema = toV1Schema(
  publicJobSchema.pick({ id: true, status: true, downloadUrl: true, error: true }),
);
