/** Generated from the API contracts by `npm run generate:sdk`. Do not edit. */

/** Version of this package. */
export const version = "0.2.0" as const;

/** Error codes, and whether a retry may succeed. */
export const errorCodes = {
  "malformed_multipart": false,
  "malformed_body": false,
  "no_image": false,
  "bad_api_key": false,
  "quota_exceeded": false,
  "key_cap_exceeded": false,
  "email_unverified": false,
  "terms_not_accepted": false,
  "plan_feature": false,
  "wrong_scope": false,
  "address_not_allowed": false,
  "image_url_invalid": false,
  "image_url_expired": false,
  "source_not_allowed": false,
  "job_not_found": false,
  "webhook_not_found": false,
  "delivery_not_found": false,
  "webhook_limit": false,
  "webhook_disabled": false,
  "batch_not_found": false,
  "item_has_file": false,
  "item_upload_running": true,
  "batch_cancelled": false,
  "method_not_allowed": false,
  "not_acceptable": false,
  "job_not_finished": true,
  "cancelled": false,
  "link_expired": false,
  "result_expired": false,
  "file_too_large": false,
  "range_not_satisfiable": false,
  "unsupported_format": false,
  "unsupported_media_type": false,
  "unsupported_encoding": false,
  "invalid_parameter": false,
  "conflicting_params": false,
  "empty_file": false,
  "file_never_came": false,
  "corrupt_image": false,
  "too_many_pixels": false,
  "side_too_long": false,
  "too_many_frames": false,
  "image_too_complex": false,
  "target_bytes_unreachable": false,
  "output_check_failed": false,
  "output_too_large": false,
  "job_too_long": false,
  "engine_unavailable": false,
  "idempotency_mismatch": false,
  "storage_full": false,
  "url_not_allowed": false,
  "url_unreachable": false,
  "processing_crashed": false,
  "processing_timeout": false,
  "processing_memory": false,
  "headers_too_large": false,
  "internal": true,
  "service_unavailable": true,
  "image_not_ready": true,
  "server_busy": true,
  "queue_full": true,
  "maintenance": true
} as const;

/** Image options. */
export const recipeFields = {
  "scale_factor": {
    "kind": "decimal",
    "allowed": "a number from 0.01 to 128",
    "description": "Scale factor for width and height, also as a fraction such as 4/3, rounded to 6 decimal places; 2 if no size is given"
  },
  "width": {
    "kind": "whole",
    "allowed": "a whole number of pixels from 1 to 262,144",
    "description": "Width of the result"
  },
  "height": {
    "kind": "whole",
    "allowed": "a whole number of pixels from 1 to 262,144",
    "description": "Height of the result"
  },
  "fit": {
    "kind": "name",
    "allowed": "fit, cover, inside",
    "description": "How to fit the image into width and height: cover crops it, inside never makes it larger (default fit)"
  },
  "long_side": {
    "kind": "whole",
    "allowed": "a whole number of pixels from 1 to 262,144",
    "description": "Length of the longer side of the result"
  },
  "short_side": {
    "kind": "whole",
    "allowed": "a whole number of pixels from 1 to 262,144",
    "description": "Length of the shorter side of the result"
  },
  "megapixels": {
    "kind": "decimal",
    "allowed": "a number above 0, up to 512",
    "description": "Size of the result in millions of pixels, rounded to 6 decimal places"
  },
  "engine": {
    "kind": "name",
    "allowed": "auto, photo-fast, photo, art, art-fast, standard, nearest, custom:NAME",
    "description": "Engine that processes the image; auto upscales with a model for photos or for drawings, and uses standard otherwise; custom: and a name run a model that the operator has added (default auto)"
  },
  "detail": {
    "kind": "name",
    "allowed": "faithful, crisp",
    "description": "Look of images that are upscaled with AI: faithful keeps all detail, crisp makes outlines sharper in less time, but may lose the finest detail; crisp requires an AI engine and a scale factor above 1 and below 4; faithful by default"
  },
  "strength": {
    "kind": "whole",
    "allowed": "a whole number from 0 to 100",
    "description": "Strength of an AI engine, in percent; a smaller one blends its result with an image that is resampled without AI; 100 by default"
  },
  "format": {
    "kind": "name",
    "allowed": "auto, png, jpeg, webp, avif, jxl, tiff, gif",
    "description": "File format of the result; auto chooses one based on the image (default jpeg)"
  },
  "quality": {
    "kind": "whole",
    "allowed": "a whole number from 1 to 100",
    "description": "Compression quality of JPEG, WebP, AVIF, and JPEG XL; JPEG XL is lossless at 100 (default 85)"
  },
  "target_bytes": {
    "kind": "whole",
    "allowed": "a whole number from 1,024 to 1,000,000,000",
    "description": "Maximum file size in bytes; the quality is reduced until the result fits"
  },
  "grain": {
    "kind": "whole",
    "allowed": "a whole number from 0 to 100",
    "description": "Strength of film grain that is added when upscaling, to hide overly smooth surfaces; 0 adds none"
  },
  "edges": {
    "kind": "name",
    "allowed": "clamp, wrap",
    "description": "How the borders are processed; wrap continues the image with its opposite border, which keeps seamless textures seamless; clamp by default"
  },
  "alpha": {
    "kind": "name",
    "allowed": "transparency, data",
    "description": "Meaning of the alpha channel; data keeps all colors as they are where alpha is 0, resizes alpha without AI, and requires PNG, TIFF, WebP, or JPEG XL, which are then lossless; transparency by default"
  },
  "never_larger": {
    "kind": "flag",
    "allowed": "true, false",
    "description": "Return your image without a charge if the result would have the same dimensions and format, is made without AI, and would be a larger file; false by default (default false)"
  },
  "background": {
    "kind": "color",
    "allowed": "a color such as #ffffff",
    "description": "Background color for transparent areas in formats without transparency (default #ffffff)"
  },
  "metadata": {
    "kind": "name",
    "allowed": "none, copyright, all",
    "description": "Metadata to keep from EXIF, XMP, and IPTC; results of AI engines are also marked with DigitalSourceType of IPTC (default none)"
  },
  "gps": {
    "kind": "flag",
    "allowed": "true, false",
    "description": "Also keep the location; requires metadata to be all (default false)"
  },
  "dpi": {
    "kind": "whole",
    "allowed": "a whole number from 1 to 10,000",
    "description": "Print resolution to write into the result, in dots per inch; the pixels stay the same"
  },
  "print_profile": {
    "kind": "text",
    "allowed": "generic, or the name of a profile on the server",
    "description": "Convert the result to CMYK for print with this ICC profile, which is embedded; requires JPEG or TIFF, and fills transparent areas with background; RGB by default"
  },
  "keep_dpi": {
    "kind": "flag",
    "allowed": "true, false",
    "description": "Keep the image's print resolution if dpi isn't set; true by default unless metadata is none"
  },
  "retention": {
    "kind": "decimal",
    "allowed": "a number of hours from 0 to 24",
    "description": "Hours until the result is deleted (default 24)"
  }
} as const;

/** Statuses that a job doesn't leave. */
export const finalStatuses = [
  "completed",
  "failed",
  "cancelled",
  "expired"
] as const;

/** Supported input formats. */
export const inputFormats = [
  "jpeg",
  "png",
  "webp",
  "gif",
  "tiff",
  "bmp",
  "avif",
  "heic",
  "jxl"
] as const;

/** File extensions by format. */
export const fileExtensions = {
  "png": "png",
  "jpeg": "jpg",
  "webp": "webp",
  "avif": "avif",
  "jxl": "jxl",
  "tiff": "tif",
  "gif": "gif"
} as const;

/** Endpoints of the API. */
export const routes = {
  "v1GetJob": "GET /v1/jobs/:id",
  "v1DeleteJob": "DELETE /v1/jobs/:id",
  "v1JobReceipt": "GET /v1/jobs/:id/receipt",
  "v1PutBatchItem": "PUT /v1/batches/:id/items/:itemId",
  "v1GetBatch": "GET /v1/batches/:id",
  "v1CancelBatch": "POST /v1/batches/:id/cancel",
  "v1RetryBatch": "POST /v1/batches/:id/retry",
  "v1BatchZip": "GET /v1/batches/:id/zip",
  "v1BatchManifest": "GET /v1/batches/:id/manifest.json",
  "v1BatchManifestCsv": "GET /v1/batches/:id/manifest.csv",
  "v1Image": "GET /v1/img/:signature/:processing/:source",
  "v1ListWebhooks": "GET /v1/webhooks",
  "v1CreateWebhook": "POST /v1/webhooks",
  "v1GetWebhook": "GET /v1/webhooks/:id",
  "v1UpdateWebhook": "PATCH /v1/webhooks/:id",
  "v1DeleteWebhook": "DELETE /v1/webhooks/:id",
  "v1RotateWebhookSecret": "POST /v1/webhooks/:id/rotate",
  "v1TestWebhook": "POST /v1/webhooks/:id/test",
  "v1ResendWebhook": "POST /v1/webhooks/:id/resend",
  "v1ListWebhookDeliveries": "GET /v1/webhooks/:id/deliveries",
  "v1GetWebhookDelivery": "GET /v1/webhooks/:id/deliveries/:deliveryId",
  "v1ResendWebhookDelivery": "POST /v1/webhooks/:id/deliveries/:deliveryId/resend",
  "v1ListEvents": "GET /v1/events",
  "v1JobStatus": "GET /v1/status/:id",
  "v1Account": "GET /v1/account",
  "v1Process": "POST /v1/process",
  "v1Resize": "POST /v1/resize",
  "v1JobResult": "GET /v1/jobs/:id/result",
  "v1ListJobs": "GET /v1/jobs",
  "v1ListBatches": "GET /v1/batches",
  "v1CreateBatch": "POST /v1/batches",
  "v1Bulk": "POST /v1/bulk",
  "v1Estimate": "POST /v1/estimate",
  "v1Engines": "GET /v1/engines",
  "v1File": "GET /v1/files/:id/:name",
  "v1OpenApi": "GET /v1/openapi.json",
  "v1Postman": "GET /v1/postman.json"
} as const;
