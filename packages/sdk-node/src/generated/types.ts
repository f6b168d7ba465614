/** Made by `npm run generate:sdk` from the contracts of the API: do not edit. */

/** What shall become of an image. */
export type RecipeOptions = {
  /** The same as `scale_factor`. */
  scale?: number;
  /** times as large (default 2): a number from 0.01 to 128 */
  scale_factor?: number;
  /** width of the result: a whole number of pixels from 1 to 262,144 */
  width?: number;
  /** height of the result: a whole number of pixels from 1 to 262,144 */
  height?: number;
  /** how width and height are met (default fit) */
  fit?: 'fit' | 'cover' | 'inside';
  /** length of the longer side: a whole number of pixels from 1 to 262,144 */
  long_side?: number;
  /** length of the shorter side: a whole number of pixels from 1 to 262,144 */
  short_side?: number;
  /** million pixels of the result: a number above 0, up to 512 */
  megapixels?: number;
  /** how it is enlarged (default auto) */
  engine?: 'auto' | 'photo-fast' | 'photo' | 'art' | 'art-fast' | 'standard';
  /** file format (default jpeg) */
  format?: 'auto' | 'png' | 'jpeg' | 'webp' | 'avif' | 'tiff' | 'gif';
  /** for jpeg, webp and avif (default 85): a whole number from 1 to 100 */
  quality?: number;
  /** largest file wanted: the quality is searched: a whole number from 1,024 to 1,000,000,000 */
  target_bytes?: number;
  /** under transparent parts in jpeg (default #ffffff) */
  background?: string;
  /** what is kept of EXIF and XMP (default none) */
  metadata?: 'none' | 'copyright' | 'all';
  /** keep the place too, with metadata all (default false) */
  gps?: boolean;
  /** hours until the result is deleted: a number of hours from 0 to 24 */
  retention?: number;
  /** true: the same as `metadata: "all"`. */
  preserve_metadata?: boolean;
};

/** Parameters of a processing call. */
export type ProcessOptions = RecipeOptions & {
  /** name of an image that comes as the body itself or as base64 */
  filename?: string;
  /** where the end of this job is told (API Pro, Enterprise); an answer from the cache tells nobody */
  webhook_url?: string;
  /** answer with a stored result of the same image and settings (default true) */
  cache?: boolean;
  /** check everything and tell what would be made; nothing is made or charged */
  dry_run?: boolean;
};

/** An image that is, was or will be made. */
export type Job = {
  id: string;
  /** The same as `id`. */
  job_id: string;
  /** False once the job has failed or was cancelled. */
  success: boolean;
  status: 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'expired';
  /** 0-100. */
  progress: number;
  /** While queued: about how many other jobs start before it. */
  queue_position?: number;
  filename: string;
  scale_factor: number;
  format: 'png' | 'jpeg' | 'webp' | 'avif' | 'tiff' | 'gif';
  quality: number;
  /** The engine that runs: `auto` already resolved. */
  engine: 'auto' | 'photo-fast' | 'photo' | 'art' | 'art-fast' | 'standard';
  original_size: {
    width: number;
    height: number;
    file_size: number;
  };
  /** Of the result; null until there is one. */
  processed_size: {
    width: number;
    height: number;
    file_size: number;
  } | null;
  processing_time_ms: number | null;
  /** The same in seconds. */
  processing_time: number | null;
  estimated_seconds: number;
  /** Works without a key for 15 minutes, and is made anew with every answer. */
  download_url: string | null;
  status_url: string;
  created_at: string;
  /** When the result is deleted. */
  expires_at: string | null;
  /** Whether it belongs to the sandbox: small, free, counted nowhere. */
  sandbox: boolean;
  /** What is not exactly as it was asked for, or was decided for the caller. */
  notes: string[];
  error?: {
    code: string;
    message: string;
    documentation_url: string;
  };
};

/** One page of jobs, the newest first. */
export type JobList = {
  data: Job[];
  /** Send it as `cursor` for the next page; null: this was the last. */
  next_cursor: string | null;
};

/** Which jobs to list. */
export type JobQuery = {
  status?: 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'expired';
  created_after?: string;
  created_before?: string;
  limit?: number;
  cursor?: string;
};

/** Proof of which bytes were removed. */
export type Deletion = {
  id: string;
  job_id: string;
  deleted_at: string;
  objects: Array<{
    kind: 'source' | 'result' | 'thumbnail';
    sha256: string;
  }>;
};

/** What an image would become. */
export type DryRun = {
  dry_run: true;
  width: number;
  height: number;
  bytes: number;
  seconds: number;
  format: 'png' | 'jpeg' | 'webp' | 'avif' | 'tiff' | 'gif';
  quality: number;
  engine: 'auto' | 'photo-fast' | 'photo' | 'art' | 'art-fast' | 'standard';
  original_size: {
    width: number;
    height: number;
    file_size: number;
  };
  units: number;
  meter: 'ai' | 'standard' | 'shared';
  notes: string[];
};

/** What an image of such facts would become. */
export type Estimate = {
  /** Of the result, pixels of one frame. */
  width: number;
  height: number;
  /** Expected size of the file and time of the work; null where no machine could make it. */
  bytes: number | null;
  seconds: number | null;
  /** What the job would be charged, and on which meter. */
  units: number;
  meter: 'ai' | 'standard' | 'shared';
  /** Why the job would be refused: the first limit that it meets. */
  limit?: {
    code: string;
    detail: string;
    limit: number | string;
    value: number | string;
    /** Largest factor that would be accepted. */
    max_scale?: number;
    unlocked_by?: 'free' | 'pro' | 'api_basic' | 'api_pro' | 'enterprise';
  };
};

/** An image by its facts. */
export type EstimateInput = {
  width: number;
  height: number;
  /** Of the file. */
  bytes?: number;
  has_alpha?: boolean;
  /** Format of the image; `format` is that of the result. */
  source_format?: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'bmp' | 'avif';
  frames?: number;
  target?: Record<string, string | number | boolean>;
} & Omit<RecipeOptions, 'width' | 'height'>;

/** Ways to enlarge an image. */
export type EngineList = {
  data: Array<{
    name: 'photo-fast' | 'photo' | 'art' | 'art-fast' | 'standard';
    meter: 'ai' | 'standard';
    says: string;
    is_auto: boolean;
    available: boolean | null;
    device: string | null;
    variant: 'fp32' | 'int8' | null;
    reason: string | null;
    pixels_per_second: number | null;
  }>;
  next_cursor: null;
};

/** The plan of a key, and what is left of it. */
export type Account = {
  plan: {
    key: 'free' | 'pro' | 'api_basic' | 'api_pro' | 'enterprise';
    name: string;
  };
  calls_per_minute: number;
  /** False: work goes on when nothing is left. */
  hard_stop: boolean;
  quota: Array<{
    meter: 'ai' | 'standard' | 'shared';
    included: number;
    /** Besides what the plan includes. */
    granted: number;
    used: number;
    left: number;
    resets_at: string;
  }>;
  key: {
    id: string;
    name: string;
    kind: 'live' | 'test';
    scopes: Array<'process' | 'read' | 'webhooks'>;
    expires_at: string | null;
    monthly_cap: number | null;
    units_this_month: number;
  };
};

/** One image of a batch. */
export type BatchItem = {
  id: string;
  client_id: string;
  name: string;
  relative_path: string;
  size: number | null;
  status: 'waiting' | 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'expired';
  /** 0-100. */
  progress: number;
  /** The job that has its file. */
  job_id: string | null;
  download_url: string | null;
  /** Where its file is sent, as long as it waits for it; null for an image that is fetched. */
  upload_url: string | null;
  notes: string[];
  error: {
    code: string;
    message: string;
    documentation_url: string;
  } | null;
};

/** Many images that are processed alike. */
export type Batch = {
  id: string;
  /** The same as `id`. */
  batch_id: string;
  /** `finished`: nothing waits or runs any more. */
  status: 'active' | 'finished' | 'cancelled';
  /** 0-100, all items counting alike. */
  progress: number;
  counts: Record<'total' | 'waiting' | 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'expired', number>;
  recipe: Record<string, string | number | boolean>;
  sandbox: boolean;
  status_url: string;
  /** All results so far in one archive. */
  zip_url: string;
  created_at: string;
  /** Until then files may come. */
  expires_at: string;
  items: BatchItem[];
};

/** What became of every image of a batch. */
export type BatchManifest = {
  data: Array<{
    item_id: string;
    client_id: string;
    job_id: string | null;
    name: string;
    path: string | null;
    status: 'waiting' | 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'expired';
    source_width: number | null;
    source_height: number | null;
    source_bytes: number | null;
    width: number | null;
    height: number | null;
    bytes: number | null;
    sha256: string | null;
    engine: string | null;
    units: number;
    error: string | null;
    message: string | null;
  }>;
  next_cursor: null;
};

/** Images whose files will be sent. */
export type NewBatch = {
  recipe?: Record<string, string | number | boolean>;
  items: Array<{
    /** The caller's own name of the file, told with its item; unique in the batch. */
    client_id: string;
    /** Needed but for an image that is fetched, which has the end of its address for a name. */
    name?: string;
    /** Where the image lies: it is fetched from there and need not be sent. */
    image_url?: string;
    /** Where the file lies in the folder that was chosen, with or without its name. */
    relative_path?: string;
    size?: number;
  }>;
  accept_partial?: boolean;
};

/** How what failed is tried again. */
export type BatchRetry = {
  engine?: 'auto' | 'photo-fast' | 'photo' | 'art' | 'art-fast' | 'standard';
} | null;

/** Something that happened: a row of the feed, and the body of a webhook. */
export type UprezEvent = {
  /** The same as the header `webhook-id`: whoever gets an event twice knows it by this. */
  id: string;
  type: 'job.completed' | 'job.failed' | 'job.cancelled' | 'job.expired';
  timestamp: string;
  sandbox: boolean;
  data: {
    id: string;
    /** The same as `id`. */
    job_id: string;
    status: 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'expired';
    filename: string;
    scale_factor: number;
    format: 'png' | 'jpeg' | 'webp' | 'avif' | 'tiff' | 'gif';
    quality: number;
    /** The engine that runs: `auto` already resolved. */
    engine: 'auto' | 'photo-fast' | 'photo' | 'art' | 'art-fast' | 'standard';
    original_size: {
      width: number;
      height: number;
      file_size: number;
    };
    /** Of the result; null until there is one. */
    processed_size: {
      width: number;
      height: number;
      file_size: number;
    } | null;
    processing_time_ms: number | null;
    created_at: string;
    /** When the result is deleted. */
    expires_at: string | null;
    error?: {
      code: string;
      message: string;
      documentation_url: string;
    };
    status_url: string;
    /** Rises with everything that happens to this job: what comes late is told by it. */
    sequence: number;
    batch_id: string | null;
  };
} | {
  /** The same as the header `webhook-id`: whoever gets an event twice knows it by this. */
  id: string;
  type: 'batch.completed';
  timestamp: string;
  sandbox: boolean;
  data: {
    id: string;
    /** The same as `id`. */
    batch_id: string;
    /** `finished`: nothing waits or runs any more. */
    status: 'active' | 'finished' | 'cancelled';
    counts: Record<'total' | 'waiting' | 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'expired', number>;
    created_at: string;
    status_url: string;
  };
} | {
  /** The same as the header `webhook-id`: whoever gets an event twice knows it by this. */
  id: string;
  type: 'quota.warning';
  timestamp: string;
  sandbox: boolean;
  data: {
    meter: 'ai' | 'standard' | 'shared';
    /** Percent of what the plan includes. */
    share: number;
    included: number;
    left: number;
    resets_at: string;
  };
} | {
  /** The same as the header `webhook-id`: whoever gets an event twice knows it by this. */
  id: string;
  type: 'webhook.test';
  timestamp: string;
  sandbox: boolean;
  data: {
    webhook_id: string;
    message: string;
  };
};

/** One page of events, the oldest first. */
export type EventList = {
  data: UprezEvent[];
  next_cursor: string | null;
};

/** Which events to list. */
export type EventQuery = {
  /** The id of the last event that is known already; absent: from the oldest one kept. */
  after?: string;
  type?: 'job.completed' | 'job.failed' | 'job.cancelled' | 'job.expired' | 'batch.completed' | 'quota.warning' | 'webhook.test';
  order?: 'asc' | 'desc';
  limit?: number;
};

/** An address that events are delivered to. */
export type Webhook = {
  id: string;
  /** `jobs`: stands for the `webhook_url` of single jobs; it has no address, filter or switch of its own. */
  kind: 'endpoint' | 'jobs';
  url: string | null;
  description: string;
  /** Empty: all. */
  events: Array<'job.completed' | 'job.failed' | 'job.cancelled' | 'job.expired' | 'batch.completed' | 'quota.warning' | 'webhook.test'>;
  sandbox: boolean;
  is_active: boolean;
  disabled_reason: 'owner' | 'gone' | 'failing' | null;
  disabled_at: string | null;
  /** When deliveries began to fail; null: the last one succeeded, or there was none. */
  failing_since: string | null;
  last_delivered_at: string | null;
  /** Until when the former secret signs beside the present one. */
  former_secret_until: string | null;
  created_at: string;
};

/** The same with its secret, which is told this once. */
export type CreatedWebhook = {
  id: string;
  /** `jobs`: stands for the `webhook_url` of single jobs; it has no address, filter or switch of its own. */
  kind: 'endpoint' | 'jobs';
  url: string | null;
  description: string;
  /** Empty: all. */
  events: Array<'job.completed' | 'job.failed' | 'job.cancelled' | 'job.expired' | 'batch.completed' | 'quota.warning' | 'webhook.test'>;
  sandbox: boolean;
  is_active: boolean;
  disabled_reason: 'owner' | 'gone' | 'failing' | null;
  disabled_at: string | null;
  /** When deliveries began to fail; null: the last one succeeded, or there was none. */
  failing_since: string | null;
  last_delivered_at: string | null;
  /** Until when the former secret signs beside the present one. */
  former_secret_until: string | null;
  created_at: string;
  secret: string;
};

/** An address that events shall be delivered to. */
export type NewWebhook = {
  url: string;
  description?: string;
  events?: Array<'job.completed' | 'job.failed' | 'job.cancelled' | 'job.expired' | 'batch.completed' | 'quota.warning'>;
  /** For events of the sandbox. With an API key its own world is meant: `true` with a live key is refused. */
  sandbox?: boolean;
};

/** What shall be different about it. */
export type WebhookChange = {
  url?: string;
  description?: string;
  events?: Array<'job.completed' | 'job.failed' | 'job.cancelled' | 'job.expired' | 'batch.completed' | 'quota.warning'>;
  is_active?: boolean;
};

/** How long the former secret goes on signing. */
export type WebhookRotation = {
  overlap_hours?: number;
} | null;

/** An event on its way to an endpoint. */
export type WebhookDelivery = {
  id: string;
  event_id: string;
  event_type: 'job.completed' | 'job.failed' | 'job.cancelled' | 'job.expired' | 'batch.completed' | 'quota.warning' | 'webhook.test';
  /** What the event is about: the name of a file, the id of a batch, or a meter. */
  subject: string;
  url: string;
  status: 'pending' | 'delivered' | 'failed';
  /** Made so far, those before it was sent again included. */
  attempts: number;
  /** Of the last attempt: the status that was answered, and what was wrong. */
  response_status: number | null;
  error: {
    code: 'bad_status' | 'redirect' | 'gone' | 'not_allowed' | 'dns' | 'tls' | 'timeout' | 'unreachable' | 'broken' | 'disabled' | 'plan' | 'simulated';
    message: string;
  } | null;
  created_at: string;
  last_attempt_at: string | null;
  next_attempt_at: string | null;
};

/** One page of deliveries. */
export type WebhookDeliveryList = {
  data: WebhookDelivery[];
  next_cursor: string | null;
};

/** Which deliveries to list. */
export type WebhookDeliveryQuery = {
  status?: 'pending' | 'delivered' | 'failed';
  limit?: number;
  cursor?: string;
};

/** A delivery with what was sent and answered. */
export type WebhookDeliveryDetail = {
  id: string;
  event_id: string;
  event_type: 'job.completed' | 'job.failed' | 'job.cancelled' | 'job.expired' | 'batch.completed' | 'quota.warning' | 'webhook.test';
  /** What the event is about: the name of a file, the id of a batch, or a meter. */
  subject: string;
  url: string;
  status: 'pending' | 'delivered' | 'failed';
  /** Made so far, those before it was sent again included. */
  attempts: number;
  /** Of the last attempt: the status that was answered, and what was wrong. */
  response_status: number | null;
  error: {
    code: 'bad_status' | 'redirect' | 'gone' | 'not_allowed' | 'dns' | 'tls' | 'timeout' | 'unreachable' | 'broken' | 'disabled' | 'plan' | 'simulated';
    message: string;
  } | null;
  created_at: string;
  last_attempt_at: string | null;
  next_attempt_at: string | null;
  body: string;
  attempt_log: Array<{
    number: number;
    at: string;
    duration_ms: number;
    response_status: number | null;
    /** The beginning of what was answered, as text. */
    response_body: string | null;
    error: {
      code: 'bad_status' | 'redirect' | 'gone' | 'not_allowed' | 'dns' | 'tls' | 'timeout' | 'unreachable' | 'broken' | 'disabled' | 'plan' | 'simulated';
      message: string;
    } | null;
  }>;
};

/** A refusal. */
export type Problem = {
  /** What went wrong, for programs. */
  code: string;
  status: number;
  /** The same as a sentence. */
  detail: string;
  /** The field that is meant, as it was spelled in the request. */
  param?: string;
  /** What it may be: a sentence, or a list. */
  allowed?: unknown;
  /** What was sent instead. */
  got?: string;
  /** Facts of this very case. */
  meta?: Record<string, unknown>;
  /** The same as the header `X-Request-Id`. */
  request_id: string;
  /** Where the code is explained. */
  documentation_url: string;
  /** What would help. */
  hint?: string;
  /** The largest factor that would be accepted, where one was refused. */
  max_scale?: number;
};
