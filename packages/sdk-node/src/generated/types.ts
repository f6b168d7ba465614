/** Generated from the API contracts by `npm run generate:sdk`. Do not edit. */

/** Options of a job. */
export type RecipeOptions = {
  /** Alias of `scale_factor`. */
  scale?: number;
  /** Scale factor for width and height, also as a fraction such as 4/3, rounded to 6 decimal places; 2 if no size is given. Allowed: a number from 0.01 to 128. */
  scale_factor?: number;
  /** Width of the result. Allowed: a whole number of pixels from 1 to 262,144. */
  width?: number;
  /** Height of the result. Allowed: a whole number of pixels from 1 to 262,144. */
  height?: number;
  /** How to fit the image into width and height: cover crops it, inside never makes it larger (default fit). */
  fit?: 'fit' | 'cover' | 'inside';
  /** Length of the longer side of the result. Allowed: a whole number of pixels from 1 to 262,144. */
  long_side?: number;
  /** Length of the shorter side of the result. Allowed: a whole number of pixels from 1 to 262,144. */
  short_side?: number;
  /** Size of the result in millions of pixels, rounded to 6 decimal places. Allowed: a number above 0, up to 512. */
  megapixels?: number;
  /** Engine that processes the image; auto upscales with a model for photos or for drawings, and uses standard otherwise; custom: and a name run a model that the operator has added (default auto). */
  engine?: 'auto' | 'photo-fast' | 'photo' | 'art' | 'art-fast' | 'standard' | 'nearest' | `custom:${string}`;
  /** Look of images that are upscaled with AI: faithful keeps all detail, crisp makes outlines sharper in less time, but may lose the finest detail; crisp requires an AI engine and a scale factor above 1 and below 4; faithful by default. */
  detail?: 'faithful' | 'crisp';
  /** Strength of an AI engine, in percent; a smaller one blends its result with an image that is resampled without AI; 100 by default. Allowed: a whole number from 0 to 100. */
  strength?: number;
  /** File format of the result; auto chooses one based on the image (default jpeg). */
  format?: 'auto' | 'png' | 'jpeg' | 'webp' | 'avif' | 'jxl' | 'tiff' | 'gif';
  /** Compression quality of JPEG, WebP, AVIF, and JPEG XL; JPEG XL is lossless at 100 (default 85). Allowed: a whole number from 1 to 100. */
  quality?: number;
  /** Maximum file size in bytes; the quality is reduced until the result fits. Allowed: a whole number from 1,024 to 1,000,000,000. */
  target_bytes?: number;
  /** Strength of film grain that is added when upscaling, to hide overly smooth surfaces; 0 adds none. Allowed: a whole number from 0 to 100. */
  grain?: number;
  /** How the borders are processed; wrap continues the image with its opposite border, which keeps seamless textures seamless; clamp by default. */
  edges?: 'clamp' | 'wrap';
  /** Meaning of the alpha channel; data keeps all colors as they are where alpha is 0, resizes alpha without AI, and requires PNG, TIFF, WebP, or JPEG XL, which are then lossless; transparency by default. */
  alpha?: 'transparency' | 'data';
  /** Return your image without a charge if the result would have the same dimensions and format, is made without AI, and would be a larger file; false by default (default false). */
  never_larger?: boolean;
  /** Background color for transparent areas in formats without transparency (default #ffffff). */
  background?: string;
  /** Metadata to keep from EXIF, XMP, and IPTC; results of AI engines are also marked with DigitalSourceType of IPTC (default none). */
  metadata?: 'none' | 'copyright' | 'all';
  /** Also keep the location; requires metadata to be all (default false). */
  gps?: boolean;
  /** Print resolution to write into the result, in dots per inch; the pixels stay the same. Allowed: a whole number from 1 to 10,000. */
  dpi?: number;
  /** Convert the result to CMYK for print with this ICC profile, which is embedded; requires JPEG or TIFF, and fills transparent areas with background; RGB by default. */
  print_profile?: string;
  /** Keep the image's print resolution if dpi isn't set; true by default unless metadata is none. */
  keep_dpi?: boolean;
  /** Hours until the result is deleted (default 24). Allowed: a number of hours from 0 to 24. */
  retention?: number;
  /** `true` sets `metadata` to `all`. */
  preserve_metadata?: boolean;
};

/** Options of a processing request. */
export type ProcessOptions = RecipeOptions & {
  /** Areas that AI leaves alone: a PNG in the size of the image, or smaller with the same aspect ratio; white areas are resampled without AI, black areas are upscaled with AI; requires an AI engine. */
  mask?: string | URL | Uint8Array;
  /** File name of an image sent as the request body or as base64. */
  filename?: string;
  /** URL that receives a webhook when the job ends (API Pro, Enterprise). */
  webhook_url?: string;
  /** Copy a stored result of the same image and options at no charge, if there is one; true by default. You need 1 available credit, which is refunded. */
  cache?: boolean;
  /** Validate the request and estimate the result without processing the image or charging credits. */
  dry_run?: boolean;
};

/** A job processes one image. */
export type Job = {
  /** ID of the job. */
  id: string;
  /** Same as `id`. */
  job_id: string;
  /** Whether the job made a result. `false` if it failed or was canceled, `null` until it ends. */
  success: boolean | null;
  /** Status of the job. */
  status: 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'expired';
  /** Progress in percent. */
  progress: number;
  /** Approximate number of jobs ahead of this one. Present while the job is queued. */
  queue_position?: number;
  /** File name of the image. */
  filename: string;
  /** Scale factor for width and height. */
  scale_factor: number;
  /** File format of the result. */
  format: 'png' | 'jpeg' | 'webp' | 'avif' | 'jxl' | 'tiff' | 'gif';
  /** Compression quality of the result. */
  quality: number;
  /** Engine that processes the image. `auto` is resolved when the job is created, and again when it runs, by content. */
  engine: 'auto' | 'photo-fast' | 'photo' | 'art' | 'art-fast' | 'standard' | 'nearest' | `custom:${string}`;
  /** Size of the image. */
  original_size: {
    /** Width in pixels. */
    width: number;
    /** Height in pixels. */
    height: number;
    /** File size in bytes. */
    file_size: number;
  };
  /** Size of the result. `null` until the job is completed. */
  processed_size: {
    /** Width in pixels. */
    width: number;
    /** Height in pixels. */
    height: number;
    /** File size in bytes. */
    file_size: number;
  } | null;
  /** Processing time in milliseconds. `null` until the job is completed. */
  processing_time_ms: number | null;
  /** Processing time in seconds. */
  processing_time: number | null;
  /** Agreement of the result with the image at the same size, before compression. `100` is identical, and below `75` looks different. `null` until the job is completed, and for results of older versions. */
  fidelity: number | null;
  /** Estimated processing time in seconds. */
  estimated_seconds: number;
  /** Credits that the job costs. `0` if it failed, was canceled free of charge, or isn't charged. */
  credits: number;
  /** Whether the result is a copy of a stored result of the same image and options, at no charge. `false` until the job is completed. */
  cached: boolean;
  /** Time until which you can cancel the job free of charge. Present while the job is processing. */
  free_cancel_until?: string;
  /** Signed URL of the result. Works without an API key for 15 minutes. Each response contains a new one. */
  download_url: string | null;
  /** URL of the job. */
  status_url: string;
  /** Time at which the job was created. */
  created_at: string;
  /** Time at which the result is deleted. */
  expires_at: string | null;
  /** Whether the job belongs to the sandbox. */
  sandbox: boolean;
  /** Adjustments to your options, and options that were chosen for you. */
  notes: string[];
  /** Reason for the failure. Present if the job failed or was canceled. */
  error?: {
    /** Error code. */
    code: string;
    /** Explanation of the error. */
    message: string;
    /** URL of the error code's documentation. */
    documentation_url: string;
  };
};

/** A page of jobs, newest first. */
export type JobList = {
  /** Jobs, newest first. */
  data: Job[];
  /** `cursor` of the next page. `null` on the last page. */
  next_cursor: string | null;
};

/** Filters of a list of jobs. */
export type JobQuery = {
  /** Return only jobs with this status. */
  status?: 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'expired';
  /** Return only jobs created at this time or later. */
  created_after?: string;
  /** Return only jobs created before this time. */
  created_before?: string;
  /** Maximum number of jobs to return. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string;
};

/** The deleted files of a job. */
export type Deletion = {
  /** ID of the job. */
  id: string;
  /** Same as `id`. */
  job_id: string;
  /** Time of the deletion. */
  deleted_at: string;
  /** Deleted files with their SHA-256 digests. */
  objects: Array<{
    /** Purpose of the file. */
    kind: 'source' | 'result' | 'thumbnail';
    /** SHA-256 digest of the file. */
    sha256: string;
  }>;
};

/** The estimated result of an image. */
export type DryRun = {
  /** Always `true`. */
  dry_run: true;
  /** Width of the result in pixels. */
  width: number;
  /** Height of the result in pixels. */
  height: number;
  /** Estimated file size in bytes. */
  bytes: number;
  /** Estimated processing time in seconds. */
  seconds: number;
  /** Estimated processing time in seconds if the image is soft, because soft parts are processed at a smaller size. */
  min_seconds: number;
  /** File format of the result. */
  format: 'png' | 'jpeg' | 'webp' | 'avif' | 'jxl' | 'tiff' | 'gif';
  /** Compression quality of the result. */
  quality: number;
  /** Engine that would process the image. */
  engine: 'auto' | 'photo-fast' | 'photo' | 'art' | 'art-fast' | 'standard' | 'nearest' | `custom:${string}`;
  /** Size of the image in pixels and bytes. */
  original_size: {
    /** Width in pixels. */
    width: number;
    /** Height in pixels. */
    height: number;
    /** File size in bytes. */
    file_size: number;
  };
  /** Credits that the job would cost. */
  units: number;
  /** Quota that the credits would be taken from. */
  meter: 'ai' | 'standard' | 'shared';
  /** Adjustments to your options, and options that were chosen for you. */
  notes: string[];
};

/** The estimated result of an image with the given properties. */
export type Estimate = {
  /** Width of the result in pixels. */
  width: number;
  /** Height of the result in pixels. */
  height: number;
  /** Engine of the job, if it is paused. The job waits until the engine resumes. `null` if it runs. */
  paused_engine: 'photo-fast' | 'photo' | 'art' | 'art-fast' | 'standard' | 'nearest' | `custom:${string}` | null;
  /** Estimated file size in bytes. `null` if the image can't be processed. */
  bytes: number | null;
  /** Estimated processing time in seconds. `null` if the image can't be processed. */
  seconds: number | null;
  /** Estimated processing time in seconds if the image is soft, because soft parts are processed at a smaller size. `null` if the image can't be processed. */
  min_seconds: number | null;
  /** Estimated seconds in the queue before processing starts. `null` if unknown. */
  wait_seconds: number | null;
  /** Credits that the job would cost. */
  units: number;
  /** Quota that the credits would be taken from. */
  meter: 'ai' | 'standard' | 'shared';
  /** The first limit that the job would exceed. Absent if the job would be accepted. */
  limit?: {
    /** Error code. */
    code: string;
    /** Explanation of the error. */
    detail: string;
    /** The limit. */
    limit: number | string;
    /** The value that exceeds it. */
    value: number | string;
    /** Largest accepted scale factor. */
    max_scale?: number;
    /** Smallest plan that allows it. */
    unlocked_by?: 'free' | 'pro' | 'api_basic' | 'api_pro' | 'enterprise';
  };
};

/** Properties of an image and options of a job. */
export type EstimateInput = {
  /** Width of the image in pixels. */
  width: number;
  /** Height of the image in pixels. */
  height: number;
  /** File size of the image in bytes. */
  bytes?: number;
  /** Whether the image has transparency. */
  has_alpha?: boolean;
  /** File format of the image. `format` is the format of the result. */
  source_format?: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'bmp' | 'avif' | 'heic' | 'jxl';
  /** Number of frames of an animation. */
  frames?: number;
  /** Size of the result. */
  target?: Record<string, string | number | boolean>;
} & Omit<RecipeOptions, 'width' | 'height'>;

/** The available engines. */
export type EngineList = {
  /** Engines. */
  data: Array<{
    /** Value for `engine`. */
    name: 'photo-fast' | 'photo' | 'art' | 'art-fast' | 'standard' | 'nearest' | `custom:${string}`;
    /** Quota that its credits are taken from. */
    meter: 'ai' | 'standard';
    /** Description of the engine. */
    says: string;
    /** Whether `auto` upscales with this engine. */
    is_auto: boolean;
    /** Whether a worker runs this engine. `null` if unknown. */
    available: boolean | null;
    /** Whether the engine is paused. Its jobs wait until it resumes. */
    paused: boolean;
    /** Whether the model is being downloaded. */
    installing: boolean;
    /** Device that runs the model. */
    device: string | null;
    /** Precision of the model. */
    variant: 'fp32' | 'int8' | null;
    /** Reason for the precision. */
    reason: string | null;
    /** Measured speed in input pixels per second. */
    pixels_per_second: number | null;
    /** Model that the operator has added. Absent for built-in engines. */
    custom?: {
      /** SHA-256 digest of the model. */
      sha256: string;
      /** Size of the model in bytes. */
      size_bytes: number;
      /** Context that a tile needs on each side, in input pixels. */
      overlap: number;
      /** Memory per input pixel of a tile, in bytes. */
      bytes_per_pixel: number;
      /** Speed when the model was added, in input pixels per second. */
      pixels_per_second: number;
      /** Title of the model. */
      title: string;
      /** License of the weights. */
      license: string;
      /** Where the weights come from. */
      source: string;
      /** What the model was trained on. */
      for: 'photos' | 'drawings';
    };
  }>;
  /** Always `null`. */
  next_cursor: null;
};

/** Your plan, quotas, and API key. */
export type Account = {
  /** Your plan. */
  plan: {
    /** ID of the plan. */
    key: 'free' | 'pro' | 'api_basic' | 'api_pro' | 'enterprise';
    /** Name of the plan. */
    name: string;
  };
  /** Maximum number of processing requests per minute. */
  calls_per_minute: number;
  /** Whether processing stops when no credits are left. */
  hard_stop: boolean;
  /** Your quotas. */
  quota: Array<{
    /** Quota: `ai`, `standard`, or `shared` for both. */
    meter: 'ai' | 'standard' | 'shared';
    /** Credits included in your plan. */
    included: number;
    /** Credits granted in addition to the plan. */
    granted: number;
    /** Credits used in this period. */
    used: number;
    /** Credits left. */
    left: number;
    /** Time at which the quota resets. */
    resets_at: string;
  }>;
  /** The API key of the request. */
  key: {
    /** ID of the API key. */
    id: string;
    /** Name of the API key. */
    name: string;
    /** `test` keys use the sandbox. */
    kind: 'live' | 'test';
    /** Permissions of the API key. */
    scopes: Array<'process' | 'read' | 'webhooks'>;
    /** Time at which the API key expires. */
    expires_at: string | null;
    /** Monthly credit limit of the API key. */
    monthly_cap: number | null;
    /** Credits that the API key used this month. */
    units_this_month: number;
  };
};

/** An image of a batch. */
export type BatchItem = {
  /** ID of the item. */
  id: string;
  /** Your ID for the file. */
  client_id: string;
  /** File name of the image. */
  name: string;
  /** Path of the file in its folder. */
  relative_path: string;
  /** File size in bytes. */
  size: number | null;
  /** `waiting` until the file is uploaded or fetched, then the status of the job. */
  status: 'waiting' | 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'expired';
  /** Progress in percent. */
  progress: number;
  /** ID of the job that processes the file. */
  job_id: string | null;
  /** Signed URL of the result. */
  download_url: string | null;
  /** URL to upload the file to. `null` once the file is uploaded, and for images that are fetched by URL. */
  upload_url: string | null;
  /** Upload of the result to the `target_url` of the item. */
  delivery: {
    /** `waiting` for the result, `pending` until an attempt succeeds, then `delivered` or `failed`. `cancelled` if the item has no result. */
    status: 'waiting' | 'pending' | 'delivered' | 'failed' | 'cancelled';
    /** Host of the target URL. The rest of the URL is secret. */
    host: string;
    /** Number of attempts so far. */
    attempts: number;
    /** Reason why the last attempt failed. */
    error: 'dns' | 'timeout' | 'tls' | 'unreachable' | 'broken' | 'not_allowed' | 'redirect' | 'bad_status' | 'expired' | 'internal' | null;
    /** HTTP status of the last response. */
    status_code: number | null;
    /** Time of the next attempt. */
    next_attempt_at: string | null;
    /** Time at which the result was delivered. */
    delivered_at: string | null;
  } | null;
  /** Adjustments to your options, and options that were chosen for you. */
  notes: string[];
  /** Reason for the failure. */
  error: {
    /** Error code. */
    code: string;
    /** Explanation of the error. */
    message: string;
    /** URL of the error code's documentation. */
    documentation_url: string;
  } | null;
};

/** A batch of images with the same options. */
export type Batch = {
  /** ID of the batch. */
  id: string;
  /** Same as `id`. */
  batch_id: string;
  /** `finished` when every item has ended. */
  status: 'active' | 'finished' | 'cancelled';
  /** Average progress of all items in percent. */
  progress: number;
  /** Number of items by status. */
  counts: {
    /** Number of items. */
    total: number;
    /** Items whose file is not uploaded or fetched yet. */
    waiting: number;
    /** Items whose job is queued. */
    queued: number;
    /** Items whose job is being processed. */
    processing: number;
    /** Items that are completed. */
    completed: number;
    /** Items that failed. */
    failed: number;
    /** Items that were canceled. */
    cancelled: number;
    /** Items whose result is deleted. */
    expired: number;
  };
  /** Options that apply to all items. */
  recipe: Record<string, string | number | boolean>;
  /** Whether the batch belongs to the sandbox. */
  sandbox: boolean;
  /** URL of the batch. */
  status_url: string;
  /** URL of a ZIP archive with all results so far. */
  zip_url: string;
  /** Time at which the batch was created. */
  created_at: string;
  /** Time until which files can be uploaded. */
  expires_at: string;
  /** Items of the batch. */
  items: BatchItem[];
  /** Preferences of the request that were ignored. Empty except in responses that create a batch. */
  notes: string[];
};

/** A page of batches without their items, newest first. */
export type BatchList = {
  /** Batches, newest first. */
  data: Array<{
    /** ID of the batch. */
    id: string;
    /** Same as `id`. */
    batch_id: string;
    /** `finished` when every item has ended. */
    status: 'active' | 'finished' | 'cancelled';
    /** Average progress of all items in percent. */
    progress: number;
    /** Number of items by status. */
    counts: {
      /** Number of items. */
      total: number;
      /** Items whose file is not uploaded or fetched yet. */
      waiting: number;
      /** Items whose job is queued. */
      queued: number;
      /** Items whose job is being processed. */
      processing: number;
      /** Items that are completed. */
      completed: number;
      /** Items that failed. */
      failed: number;
      /** Items that were canceled. */
      cancelled: number;
      /** Items whose result is deleted. */
      expired: number;
    };
    /** Options that apply to all items. */
    recipe: Record<string, string | number | boolean>;
    /** Whether the batch belongs to the sandbox. */
    sandbox: boolean;
    /** URL of the batch. */
    status_url: string;
    /** URL of a ZIP archive with all results so far. */
    zip_url: string;
    /** Time at which the batch was created. */
    created_at: string;
    /** Time until which files can be uploaded. */
    expires_at: string;
  }>;
  /** `cursor` of the next page. `null` on the last page. */
  next_cursor: string | null;
};

/** Filters of a list of batches. */
export type BatchQuery = {
  /** Maximum number of batches to return. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string;
};

/** The result of each image of a batch. */
export type BatchManifest = {
  /** One row per item. */
  data: Array<{
    /** ID of the item. */
    item_id: string;
    /** Your ID for the file. */
    client_id: string;
    /** ID of the job. */
    job_id: string | null;
    /** File name of the image. */
    name: string;
    /** Path in the ZIP archive with the same `name` pattern. */
    path: string | null;
    /** Status of the item. */
    status: 'waiting' | 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'expired';
    /** Width of the image in pixels. */
    source_width: number | null;
    /** Height of the image in pixels. */
    source_height: number | null;
    /** File size of the image in bytes. */
    source_bytes: number | null;
    /** Width of the result in pixels. */
    width: number | null;
    /** Height of the result in pixels. */
    height: number | null;
    /** File size of the result in bytes. */
    bytes: number | null;
    /** SHA-256 digest of the result. */
    sha256: string | null;
    /** Engine that processed the image. */
    engine: string | null;
    /** Credits reserved or charged so far. */
    units: number;
    /** Error code of the item. */
    error: string | null;
    /** Explanation of the error. */
    message: string | null;
  }>;
  /** Always `null`. */
  next_cursor: null;
};

/** A batch of files to upload. */
export type NewBatch = {
  /** Options that apply to all items. */
  recipe?: Record<string, string | number | boolean>;
  /** Files to process. */
  items: Array<{
    /** Your ID for the file. Must be unique in the batch. */
    client_id: string;
    /** File name. Required unless `image_url` is given. */
    name?: string;
    /** URL to fetch the image from, instead of an upload. */
    image_url?: string;
    /** URL to upload the result to with `PUT`, such as a signed URL of a bucket. It is stored encrypted, never returned, and deleted when the delivery ends. */
    target_url?: string;
    /** Path of the file in its folder, with or without the file name. */
    relative_path?: string;
    /** File size in bytes. */
    size?: number;
  }>;
  /** Process as many files as there are credits left, instead of rejecting the batch. */
  accept_partial?: boolean;
};

/** Options of a retry. */
export type BatchRetry = {
  /** Engine to use instead. */
  engine?: 'auto' | 'photo-fast' | 'photo' | 'art' | 'art-fast' | 'standard' | 'nearest' | `custom:${string}`;
} | null;

/** An event: an entry of the event feed, and the body of a webhook. */
export type UprezEvent = {
  /** ID of the event. Same as the `webhook-id` header. Use it to detect duplicate deliveries. */
  id: string;
  /** Type of the event. */
  type: 'job.completed' | 'job.failed' | 'job.cancelled' | 'job.expired';
  /** Time of the event. */
  timestamp: string;
  /** Whether the event belongs to the sandbox. */
  sandbox: boolean;
  /** Details of the event. */
  data: {
    /** ID of the job. */
    id: string;
    /** Same as `id`. */
    job_id: string;
    /** Status of the job. */
    status: 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'expired';
    /** File name of the image. */
    filename: string;
    /** Scale factor for width and height. */
    scale_factor: number;
    /** File format of the result. */
    format: 'png' | 'jpeg' | 'webp' | 'avif' | 'jxl' | 'tiff' | 'gif';
    /** Compression quality of the result. */
    quality: number;
    /** Engine that processes the image. `auto` is resolved when the job is created, and again when it runs, by content. */
    engine: 'auto' | 'photo-fast' | 'photo' | 'art' | 'art-fast' | 'standard' | 'nearest' | `custom:${string}`;
    /** Size of the image. */
    original_size: {
      /** Width in pixels. */
      width: number;
      /** Height in pixels. */
      height: number;
      /** File size in bytes. */
      file_size: number;
    };
    /** Size of the result. `null` until the job is completed. */
    processed_size: {
      /** Width in pixels. */
      width: number;
      /** Height in pixels. */
      height: number;
      /** File size in bytes. */
      file_size: number;
    } | null;
    /** Processing time in milliseconds. `null` until the job is completed. */
    processing_time_ms: number | null;
    /** Time at which the job was created. */
    created_at: string;
    /** Time at which the result is deleted. */
    expires_at: string | null;
    /** Reason for the failure. Present if the job failed or was canceled. */
    error?: {
      /** Error code. */
      code: string;
      /** Explanation of the error. */
      message: string;
      /** URL of the error code's documentation. */
      documentation_url: string;
    };
    /** URL of the job. */
    status_url: string;
    /** Increases with each event of the job. Use it to detect events that arrive out of order. */
    sequence: number;
    /** ID of the batch that the job belongs to. */
    batch_id: string | null;
  };
} | {
  /** ID of the event. Same as the `webhook-id` header. Use it to detect duplicate deliveries. */
  id: string;
  /** Type of the event. */
  type: 'batch.completed';
  /** Time of the event. */
  timestamp: string;
  /** Whether the event belongs to the sandbox. */
  sandbox: boolean;
  /** Details of the event. */
  data: {
    /** ID of the batch. */
    id: string;
    /** Same as `id`. */
    batch_id: string;
    /** `finished` when every item has ended. */
    status: 'active' | 'finished' | 'cancelled';
    /** Number of items by status. */
    counts: {
      /** Number of items. */
      total: number;
      /** Items whose file is not uploaded or fetched yet. */
      waiting: number;
      /** Items whose job is queued. */
      queued: number;
      /** Items whose job is being processed. */
      processing: number;
      /** Items that are completed. */
      completed: number;
      /** Items that failed. */
      failed: number;
      /** Items that were canceled. */
      cancelled: number;
      /** Items whose result is deleted. */
      expired: number;
    };
    /** Time at which the batch was created. */
    created_at: string;
    /** URL of the batch. */
    status_url: string;
  };
} | {
  /** ID of the event. Same as the `webhook-id` header. Use it to detect duplicate deliveries. */
  id: string;
  /** Type of the event. */
  type: 'batch.item_rejected';
  /** Time of the event. */
  timestamp: string;
  /** Whether the event belongs to the sandbox. */
  sandbox: boolean;
  /** Details of the event. */
  data: {
    /** ID of the item. */
    id: string;
    /** Your ID for the file. */
    client_id: string;
    /** File name of the image. */
    name: string;
    /** Path of the file in its folder. */
    relative_path: string;
    /** ID of the batch. */
    batch_id: string;
    /** Reason for the rejection. */
    error: {
      /** Error code. */
      code: string;
      /** Explanation of the error. */
      message: string;
      /** URL of the error code's documentation. */
      documentation_url: string;
    };
    /** URL of the batch. */
    status_url: string;
  };
} | {
  /** ID of the event. Same as the `webhook-id` header. Use it to detect duplicate deliveries. */
  id: string;
  /** Type of the event. */
  type: 'quota.warning';
  /** Time of the event. */
  timestamp: string;
  /** Whether the event belongs to the sandbox. */
  sandbox: boolean;
  /** Details of the event. */
  data: {
    /** Quota that the event refers to. */
    meter: 'ai' | 'standard' | 'shared';
    /** Percentage of the included credits that is used. */
    share: number;
    /** Credits included in your plan. */
    included: number;
    /** Credits left. */
    left: number;
    /** Time at which the quota resets. */
    resets_at: string;
  };
} | {
  /** ID of the event. Same as the `webhook-id` header. Use it to detect duplicate deliveries. */
  id: string;
  /** Type of the event. */
  type: 'webhook.test';
  /** Time of the event. */
  timestamp: string;
  /** Whether the event belongs to the sandbox. */
  sandbox: boolean;
  /** Details of the event. */
  data: {
    /** ID of the webhook endpoint. */
    webhook_id: string;
    /** A fixed test message. */
    message: string;
  };
};

/** A page of events, oldest first. */
export type EventList = {
  /** Events, oldest first unless `order` is `desc`. */
  data: UprezEvent[];
  /** `after` of the next page. `null` if there are no more events. Continue later with the ID of the last event. */
  next_cursor: string | null;
};

/** Filters of a list of events. */
export type EventQuery = {
  /** ID of the last event you received. Omit to start with the oldest stored event. */
  after?: string;
  /** Return only events of this type. */
  type?: 'job.completed' | 'job.failed' | 'job.cancelled' | 'job.expired' | 'batch.completed' | 'batch.item_rejected' | 'quota.warning' | 'webhook.test';
  /** `asc` returns the oldest events first, `desc` the newest. */
  order?: 'asc' | 'desc';
  /** Maximum number of events to return. */
  limit?: number;
};

/** A webhook endpoint. */
export type Webhook = {
  /** ID of the endpoint. */
  id: string;
  /** `endpoint`, or `jobs` for the `webhook_url` of individual jobs. `jobs` has no URL, events, or status of its own. */
  kind: 'endpoint' | 'jobs';
  /** URL that receives the events. */
  url: string | null;
  /** Your description of the endpoint. */
  description: string;
  /** Types of events to send. An empty list means all types. */
  events: Array<'job.completed' | 'job.failed' | 'job.cancelled' | 'job.expired' | 'batch.completed' | 'batch.item_rejected' | 'quota.warning' | 'webhook.test'>;
  /** Whether the endpoint receives sandbox events. */
  sandbox: boolean;
  /** Whether the endpoint is enabled. */
  is_active: boolean;
  /** `owner`: disabled by you. `gone`: it responded with 410. `failing`: all attempts to deliver an event failed. */
  disabled_reason: 'owner' | 'gone' | 'failing' | null;
  /** Time at which the endpoint was disabled. */
  disabled_at: string | null;
  /** Time at which deliveries started to fail. `null` if the last one succeeded, or there was none. */
  failing_since: string | null;
  /** Time of the last successful delivery. */
  last_delivered_at: string | null;
  /** Time until which deliveries are also signed with the previous secret. */
  former_secret_until: string | null;
  /** Time at which the endpoint was created. */
  created_at: string;
};

/** A webhook endpoint with its secret, which is not shown again. */
export type CreatedWebhook = {
  /** ID of the endpoint. */
  id: string;
  /** `endpoint`, or `jobs` for the `webhook_url` of individual jobs. `jobs` has no URL, events, or status of its own. */
  kind: 'endpoint' | 'jobs';
  /** URL that receives the events. */
  url: string | null;
  /** Your description of the endpoint. */
  description: string;
  /** Types of events to send. An empty list means all types. */
  events: Array<'job.completed' | 'job.failed' | 'job.cancelled' | 'job.expired' | 'batch.completed' | 'batch.item_rejected' | 'quota.warning' | 'webhook.test'>;
  /** Whether the endpoint receives sandbox events. */
  sandbox: boolean;
  /** Whether the endpoint is enabled. */
  is_active: boolean;
  /** `owner`: disabled by you. `gone`: it responded with 410. `failing`: all attempts to deliver an event failed. */
  disabled_reason: 'owner' | 'gone' | 'failing' | null;
  /** Time at which the endpoint was disabled. */
  disabled_at: string | null;
  /** Time at which deliveries started to fail. `null` if the last one succeeded, or there was none. */
  failing_since: string | null;
  /** Time of the last successful delivery. */
  last_delivered_at: string | null;
  /** Time until which deliveries are also signed with the previous secret. */
  former_secret_until: string | null;
  /** Time at which the endpoint was created. */
  created_at: string;
  /** Secret that verifies deliveries. Not shown again. */
  secret: string;
};

/** A webhook endpoint to create. */
export type NewWebhook = {
  /** URL that receives the events. Must be a public `https` URL on port 443. If the service listens on loopback only, sandbox endpoints can also use `http` or `https` on `localhost`, with any port. */
  url: string;
  /** Your description of the endpoint. */
  description?: string;
  /** Types of events to send. An empty list means all types. */
  events?: Array<'job.completed' | 'job.failed' | 'job.cancelled' | 'job.expired' | 'batch.completed' | 'batch.item_rejected' | 'quota.warning'>;
  /** Whether to receive sandbox events. Requests with an API key always use the mode of the key; `true` with a live key is rejected. */
  sandbox?: boolean;
};

/** Changes of a webhook endpoint. */
export type WebhookChange = {
  /** URL that receives the events. */
  url?: string;
  /** Your description of the endpoint. */
  description?: string;
  /** Types of events to send. An empty list means all types. */
  events?: Array<'job.completed' | 'job.failed' | 'job.cancelled' | 'job.expired' | 'batch.completed' | 'batch.item_rejected' | 'quota.warning'>;
  /** `false` disables the endpoint, `true` enables it. */
  is_active?: boolean;
};

/** Options of a secret rotation. */
export type WebhookRotation = {
  /** Hours until the previous secret expires (default 24). With 0, it expires immediately. */
  overlap_hours?: number;
} | null;

/** A delivery of an event to a webhook endpoint. */
export type WebhookDelivery = {
  /** ID of the delivery. */
  id: string;
  /** ID of the event. */
  event_id: string;
  /** Type of the event. */
  event_type: 'job.completed' | 'job.failed' | 'job.cancelled' | 'job.expired' | 'batch.completed' | 'batch.item_rejected' | 'quota.warning' | 'webhook.test';
  /** Subject of the event: a file name, the ID of a batch, or a quota. */
  subject: string;
  /** URL that receives the delivery. */
  url: string;
  /** Status of the delivery. */
  status: 'pending' | 'delivered' | 'failed';
  /** Number of attempts, including those before the delivery was resent. */
  attempts: number;
  /** Status code of the last response. */
  response_status: number | null;
  /** Error of the last attempt. */
  error: {
    /** Error code. */
    code: 'bad_status' | 'redirect' | 'gone' | 'not_allowed' | 'dns' | 'tls' | 'timeout' | 'unreachable' | 'broken' | 'disabled' | 'plan' | 'simulated';
    /** Explanation of the error. */
    message: string;
  } | null;
  /** Time at which the delivery was created. */
  created_at: string;
  /** Time of the last attempt. */
  last_attempt_at: string | null;
  /** Time of the next attempt. */
  next_attempt_at: string | null;
};

/** A page of deliveries, newest first. */
export type WebhookDeliveryList = {
  /** Deliveries, newest first. */
  data: WebhookDelivery[];
  /** `cursor` of the next page. `null` on the last page. */
  next_cursor: string | null;
};

/** Filters of a list of deliveries. */
export type WebhookDeliveryQuery = {
  /** Return only deliveries with this status. */
  status?: 'pending' | 'delivered' | 'failed';
  /** Maximum number of deliveries to return. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string;
};

/** A delivery with its body and attempts. */
export type WebhookDeliveryDetail = {
  /** ID of the delivery. */
  id: string;
  /** ID of the event. */
  event_id: string;
  /** Type of the event. */
  event_type: 'job.completed' | 'job.failed' | 'job.cancelled' | 'job.expired' | 'batch.completed' | 'batch.item_rejected' | 'quota.warning' | 'webhook.test';
  /** Subject of the event: a file name, the ID of a batch, or a quota. */
  subject: string;
  /** URL that receives the delivery. */
  url: string;
  /** Status of the delivery. */
  status: 'pending' | 'delivered' | 'failed';
  /** Number of attempts, including those before the delivery was resent. */
  attempts: number;
  /** Status code of the last response. */
  response_status: number | null;
  /** Error of the last attempt. */
  error: {
    /** Error code. */
    code: 'bad_status' | 'redirect' | 'gone' | 'not_allowed' | 'dns' | 'tls' | 'timeout' | 'unreachable' | 'broken' | 'disabled' | 'plan' | 'simulated';
    /** Explanation of the error. */
    message: string;
  } | null;
  /** Time at which the delivery was created. */
  created_at: string;
  /** Time of the last attempt. */
  last_attempt_at: string | null;
  /** Time of the next attempt. */
  next_attempt_at: string | null;
  /** Request body of the delivery. */
  body: string;
  /** The last 20 attempts, oldest first. */
  attempt_log: Array<{
    /** Number of the attempt, starting with 1. */
    number: number;
    /** Time of the attempt. */
    at: string;
    /** Duration in milliseconds. */
    duration_ms: number;
    /** Status code of the response. */
    response_status: number | null;
    /** Start of the response body, as text. Kept only for the last 2 attempts, otherwise null. */
    response_body: string | null;
    /** Error of the attempt. */
    error: {
      /** Error code. */
      code: 'bad_status' | 'redirect' | 'gone' | 'not_allowed' | 'dns' | 'tls' | 'timeout' | 'unreachable' | 'broken' | 'disabled' | 'plan' | 'simulated';
      /** Explanation of the error. */
      message: string;
    } | null;
  }>;
};

/** An error response. */
export type Problem = {
  /** Error code. */
  code: string;
  /** Status code of the response. */
  status: number;
  /** Explanation of the error. */
  detail: string;
  /** Name of the invalid field, as sent in the request. */
  param?: string;
  /** Allowed values, as a phrase or a list. */
  allowed?: unknown;
  /** Value that was sent. */
  got?: string;
  /** Additional details. */
  meta?: Record<string, unknown>;
  /** ID of the request. Same as the `X-Request-Id` header. */
  request_id: string;
  /** URL of the error code's documentation. */
  documentation_url: string;
  /** How to fix the error. */
  hint?: string;
  /** Largest accepted scale factor, if the scale factor was rejected. */
  max_scale?: number;
};
