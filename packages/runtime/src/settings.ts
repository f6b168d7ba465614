import os from 'node:os';
import path from 'node:path';
import { poolNamePattern } from '@uprez/contracts/policy/admin/worker-pools';
import { aiDevices, aiEngines } from '@uprez/contracts/policy/images/engines';
import { workerNamePattern } from '@uprez/contracts/schemas/admin/workers';
import { logLevels } from '@uprez/contracts/schemas/telemetry';
import * as z from 'zod';

const int = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().min(min).max(max));
const seconds = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, `seconds from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().min(min).max(max));
const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
const factor = z
  .string()
  .regex(/^\d+(\.\d+)?$/, 'a number, at least 0')
  .transform(Number);
const share = z
  .string()
  .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'a number from 0 to 1')
  .transform(Number);
const url = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });
const folder = z
  .string()
  .min(1)
  .transform((value) => path.resolve(value));
const listOf = <const Names extends readonly string[]>(names: Names) =>
  z
    .string()
    .transform((value) => value.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(names)).min(1));
const secret = z.string().min(32, 'at least 32 characters');
/** The current secret. During a rotation, a second secret follows after a comma and is also accepted. */
const secrets = z
  .string()
  .transform((value) => value.split(',').map((part) => part.trim()))
  .pipe(z.tuple([secret], secret).refine((list) => list.length <= 2, 'one secret, or two separated by a comma'));

/**
 * All settings by the name of their environment variable. A service's `config.ts` selects the settings that the service
 * uses. docs/settings.md lists all of them.
 */
export const settings = {
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  LOG_LEVEL: z.enum(logLevels).default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http:', 'https:').optional(),
  // The exporter reads this variable from the environment itself.
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_TRACES_SAMPLER_ARG: share.default(1),
  PORT: int(0, 65_535).default(3_000),
  PUBLIC_URL: url('http:', 'https:').optional(),
  TRUST_PROXY: z.string().default(''),
  COUNTRY_HEADER: z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9-]*$/, 'the name of a header')
    .default(''),
  MAX_CONNECTIONS: int(10, 1_000_000).default(10_000),
  MAX_CONNECTIONS_PER_ADDRESS: int(10, 1_000_000).default(500),
  BODY_MEMORY_MB: int(16, 65_536).optional(),
  SPOOL_MB: int(64, 1_048_576).default(1_024),
  METRICS_HOST: z.union([z.ipv4(), z.ipv6()], { error: 'an IP address' }).default('127.0.0.1'),
  METRICS_PORT: int(0, 65_535).default(0),
  DATA_DIR: folder.default(path.resolve('.data')),
  DATABASE_URL: url('postgres:', 'postgresql:'),
  DATABASE_POOL: int(2, 200).default(10),
  REDIS_URL: url('redis:', 'rediss:'),
  QUEUE_PREFIX: z
    .string()
    .regex(/^[a-z0-9_-]{1,60}$/, 'letters a-z, digits, - and _')
    .default('uprez'),
  STORAGE: z.enum(['disk', 's3']).optional(),
  S3_ENDPOINT: url('http:', 'https:').optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_BUCKET: z.string().min(3).default('uprez'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_FORCE_PATH_STYLE: flag.default(true),
  S3_PUBLIC_ENDPOINT: url('http:', 'https:').optional(),
  ADMIN_EMAIL: z.email().default('admin@uprez.local'),
  ADMIN_PASSWORD: z.string().min(6).optional(),
  SESSION_SECRET: secrets,
  URL_SECRET: secrets,
  VAULT_SECRET: secrets,
  SMTP_HOST: z.string().min(1).optional(),
  SMTP_PORT: int(1, 65_535).default(587),
  SMTP_USER: z.string().optional(),
  SMTP_PASSWORD: z.string().optional(),
  SMTP_SECURE: flag.default(true),
  SMTP_FROM_EMAIL: z.email().optional(),
  SMTP_FROM_NAME: z.string().optional(),
  // `paymentOptions` validates the next four settings together.
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_PUBLISHABLE_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API_URL: z.string().optional(),
  RATE_LIMIT_SCALE: factor.default(1),
  WEB_DIR: folder.optional(),
  MODELS_DIR: folder.optional(),
  PROFILES_DIR: folder.optional(),
  JOB_DIR: folder.optional(),
  JAIL: z.enum(['auto', 'required', 'off']).default('auto'),
  LEASE_S: seconds(0.5, 3_600).default(30),
  SWEEP_S: seconds(0.1, 3_600).default(5),
  PROBES: flag.default(true),
  UNFINISHED_S: seconds(1, 604_800).default(86_400),
  RETRY_BASE_S: seconds(0, 3_600).default(2),
  DRAIN_S: seconds(0, 600).default(8),
  WORKER_NAME: z.string().regex(workerNamePattern, 'letters, digits, dots, - and _').default(os.hostname()),
  WORKER_POOL: z.string().regex(poolNamePattern, 'lowercase letters, digits, and -, but not "shared"').optional(),
  WORKER_CONCURRENCY: int(1, 64).default(1),
  WORKER_RECYCLE_JOBS: int(1, 1_000_000).default(200),
  AI_ENGINE: z.enum(aiEngines).default('photo-fast'),
  AI_ENGINES: listOf(aiEngines).default([...aiEngines]),
  AI_DEVICE: listOf(aiDevices).default(['cpu']),
  AI_MARK_ALWAYS: flag.default(true),
  MAX_JOB_S: int(1, 86_400).default(3_600),
  MAX_WAIT_FREE_S: int(1, 604_800).default(600),
  MAX_WAIT_PAID_S: int(1, 604_800).default(3_600),
} as const;

export type SettingName = keyof typeof settings;

/** Returns the number of threads per slot: the cores divided among the slots, at least one. */
export const threadsPerSlot = (slots: number) => Math.max(1, Math.floor(os.availableParallelism() / slots));
