/** Generated from the API contracts by `npm run generate:mcp`. Do not edit. */

/** The tools. `localProperties`: arguments that a tool has only where it can access files. */
export const tools = [
  {
    "name": "upscale_image",
    "title": "Upscale an image",
    "description": "Makes an image larger with an AI model that adds detail. The default doubles its width and height. Costs 1 credit per image. Images that fail are not charged. An image with a stored result gets a copy at no charge. Call `estimate` for the cost before you process an image, and `get_account` for the remaining credits. Waits for the result. If the job takes longer than `wait_seconds`, the response has the status `queued` or `processing`: call `get_job` with its ID. Don't repeat the call, because each call creates another job.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "image_url": {
          "description": "An https URL of the image. Send the image in one way only.",
          "type": "string",
          "format": "uri"
        },
        "image": {
          "type": "string",
          "description": "The image as base64, optionally with a `data:image/...;base64,` prefix."
        },
        "filename": {
          "description": "File name of an image sent as the request body or as base64.",
          "type": "string"
        },
        "scale_factor": {
          "description": "Scale factor for width and height, also as a fraction such as `4/3`, rounded to 6 decimal places; 2 if no size is given.",
          "type": "number",
          "minimum": 0.01,
          "maximum": 128
        },
        "engine": {
          "description": "Engine that processes the image; `auto` upscales with a model for photos or for drawings, and uses `standard` otherwise; `custom:` and a name run a model that the operator has added.",
          "default": "auto",
          "anyOf": [
            {
              "type": "string",
              "enum": [
                "auto",
                "photo-fast",
                "photo",
                "art",
                "art-fast",
                "standard",
                "nearest"
              ]
            },
            {
              "type": "string"
            }
          ]
        },
        "detail": {
          "description": "Look of images that are upscaled with AI: `faithful` keeps all detail, `crisp` makes outlines sharper in less time, but may lose the finest detail; `crisp` requires an AI engine and a scale factor above 1 and below 4; `faithful` by default.",
          "type": "string",
          "enum": [
            "faithful",
            "crisp"
          ]
        },
        "strength": {
          "description": "Strength of an AI engine, in percent; a smaller one blends its result with an image that is resampled without AI; 100 by default.",
          "type": "integer",
          "minimum": 0,
          "maximum": 100
        },
        "grain": {
          "description": "Strength of film grain that is added when upscaling, to hide overly smooth surfaces; 0 adds none.",
          "type": "integer",
          "minimum": 0,
          "maximum": 100
        },
        "edges": {
          "description": "How the borders are processed; `wrap` continues the image with its opposite border, which keeps seamless textures seamless; `clamp` by default.",
          "type": "string",
          "enum": [
            "clamp",
            "wrap"
          ]
        },
        "alpha": {
          "description": "Meaning of the alpha channel; `data` keeps all colors as they are where alpha is 0, resizes alpha without AI, and requires PNG, TIFF, WebP, or JPEG XL, which are then lossless; `transparency` by default.",
          "type": "string",
          "enum": [
            "transparency",
            "data"
          ]
        },
        "format": {
          "description": "File format of the result; `auto` chooses one based on the image.",
          "default": "jpeg",
          "type": "string",
          "enum": [
            "auto",
            "png",
            "jpeg",
            "webp",
            "avif",
            "jxl",
            "tiff",
            "gif"
          ]
        },
        "quality": {
          "description": "Compression quality of JPEG, WebP, AVIF, and JPEG XL; JPEG XL is lossless at 100.",
          "default": 85,
          "type": "integer",
          "minimum": 1,
          "maximum": 100
        },
        "target_bytes": {
          "description": "Maximum file size in bytes; the quality is reduced until the result fits.",
          "type": "integer",
          "minimum": 1024,
          "maximum": 1000000000
        },
        "background": {
          "description": "Background color for transparent areas in formats without transparency.",
          "default": "#ffffff",
          "type": "string"
        },
        "metadata": {
          "description": "Metadata to keep from EXIF, XMP, and IPTC; results of AI engines are also marked with `DigitalSourceType` of IPTC.",
          "default": "none",
          "type": "string",
          "enum": [
            "none",
            "copyright",
            "all"
          ]
        },
        "gps": {
          "description": "Also keep the location; requires `metadata` to be `all`.",
          "default": false,
          "type": "boolean"
        },
        "dpi": {
          "description": "Print resolution to write into the result, in dots per inch; the pixels stay the same.",
          "type": "integer",
          "minimum": 1,
          "maximum": 10000
        },
        "keep_dpi": {
          "description": "Keep the image's print resolution if `dpi` isn't set; true by default unless `metadata` is `none`.",
          "type": "boolean"
        },
        "print_profile": {
          "description": "Convert the result to CMYK for print with this ICC profile, which is embedded; requires JPEG or TIFF, and fills transparent areas with `background`; RGB by default.",
          "type": "string"
        },
        "retention": {
          "description": "Hours until the result is deleted.",
          "default": 24,
          "type": "number",
          "minimum": 0,
          "maximum": 24
        },
        "wait_seconds": {
          "default": 25,
          "description": "Seconds to wait for the result.",
          "type": "integer",
          "minimum": 0,
          "maximum": 60
        },
        "include_image": {
          "default": true,
          "description": "Return the result as an image that you can see, if it is a JPEG, PNG, WebP, or GIF of up to 500 kB. Larger results are links.",
          "type": "boolean"
        }
      },
      "additionalProperties": false
    },
    "localProperties": {
      "image_path": {
        "description": "Path of the image on this computer, inside an allowed folder.",
        "type": "string"
      },
      "output_path": {
        "type": "string",
        "description": "Path of a new file for the result, inside an allowed folder. Its extension sets the format: png, jpg, webp, avif, jxl, tif, gif."
      }
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string",
          "format": "uuid",
          "description": "ID of the job."
        },
        "job_id": {
          "type": "string",
          "format": "uuid",
          "description": "Same as `id`."
        },
        "success": {
          "description": "Whether the job made a result. `false` if it failed or was canceled, `null` until it ends.",
          "type": [
            "boolean",
            "null"
          ]
        },
        "status": {
          "type": "string",
          "enum": [
            "queued",
            "processing",
            "completed",
            "failed",
            "cancelled",
            "expired"
          ],
          "description": "Status of the job."
        },
        "progress": {
          "type": "integer",
          "minimum": 0,
          "maximum": 100,
          "description": "Progress in percent."
        },
        "queue_position": {
          "description": "Approximate number of jobs ahead of this one. Present while the job is queued.",
          "type": "integer",
          "minimum": 0
        },
        "filename": {
          "type": "string",
          "description": "File name of the image."
        },
        "scale_factor": {
          "type": "number",
          "description": "Scale factor for width and height."
        },
        "format": {
          "type": "string",
          "enum": [
            "png",
            "jpeg",
            "webp",
            "avif",
            "jxl",
            "tiff",
            "gif"
          ],
          "description": "File format of the result."
        },
        "quality": {
          "type": "integer",
          "description": "Compression quality of the result."
        },
        "engine": {
          "anyOf": [
            {
              "type": "string",
              "enum": [
                "auto",
                "photo-fast",
                "photo",
                "art",
                "art-fast",
                "standard",
                "nearest"
              ]
            },
            {
              "type": "string"
            }
          ],
          "description": "Engine that processes the image. `auto` is resolved when the job is created, and again when it runs, by content."
        },
        "original_size": {
          "type": "object",
          "properties": {
            "width": {
              "type": "integer",
              "description": "Width in pixels."
            },
            "height": {
              "type": "integer",
              "description": "Height in pixels."
            },
            "file_size": {
              "type": "integer",
              "description": "File size in bytes."
            }
          },
          "required": [
            "width",
            "height",
            "file_size"
          ],
          "description": "Size of the image."
        },
        "processed_size": {
          "anyOf": [
            {
              "type": "object",
              "properties": {
                "width": {
                  "type": "integer",
                  "description": "Width in pixels."
                },
                "height": {
                  "type": "integer",
                  "description": "Height in pixels."
                },
                "file_size": {
                  "type": "integer",
                  "description": "File size in bytes."
                }
              },
              "required": [
                "width",
                "height",
                "file_size"
              ]
            },
            {
              "type": "null"
            }
          ],
          "description": "Size of the result. `null` until the job is completed."
        },
        "processing_time_ms": {
          "anyOf": [
            {
              "type": "integer"
            },
            {
              "type": "null"
            }
          ],
          "description": "Processing time in milliseconds. `null` until the job is completed."
        },
        "processing_time": {
          "description": "Processing time in seconds.",
          "type": [
            "number",
            "null"
          ]
        },
        "fidelity": {
          "anyOf": [
            {
              "type": "number",
              "minimum": 0,
              "maximum": 100
            },
            {
              "type": "null"
            }
          ],
          "description": "Agreement of the result with the image at the same size, before compression. `100` is identical, and below `75` looks different. `null` until the job is completed, and for results of older versions."
        },
        "estimated_seconds": {
          "type": "number",
          "description": "Estimated processing time in seconds."
        },
        "credits": {
          "type": "integer",
          "description": "Credits that the job costs. `0` if it failed, was canceled free of charge, or isn't charged."
        },
        "cached": {
          "type": "boolean",
          "description": "Whether the result is a copy of a stored result of the same image and options, at no charge. `false` until the job is completed."
        },
        "free_cancel_until": {
          "description": "Time until which you can cancel the job free of charge. Present while the job is processing.",
          "type": "string",
          "format": "date-time"
        },
        "download_url": {
          "description": "Signed URL of the result. Works without an API key for 15 minutes. Each response contains a new one.",
          "type": [
            "string",
            "null"
          ]
        },
        "status_url": {
          "type": "string",
          "description": "URL of the job."
        },
        "created_at": {
          "type": "string",
          "format": "date-time",
          "description": "Time at which the job was created."
        },
        "expires_at": {
          "anyOf": [
            {
              "type": "string",
              "format": "date-time"
            },
            {
              "type": "null"
            }
          ],
          "description": "Time at which the result is deleted."
        },
        "sandbox": {
          "type": "boolean",
          "description": "Whether the job belongs to the sandbox."
        },
        "notes": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "Adjustments to your options, and options that were chosen for you."
        },
        "error": {
          "description": "Reason for the failure. Present if the job failed or was canceled.",
          "type": "object",
          "properties": {
            "code": {
              "type": "string",
              "description": "Error code."
            },
            "message": {
              "type": "string",
              "description": "Explanation of the error."
            },
            "documentation_url": {
              "type": "string",
              "description": "URL of the error code's documentation."
            }
          },
          "required": [
            "code",
            "message",
            "documentation_url"
          ]
        },
        "credits_charged": {
          "description": "Credits charged for this request. They are refunded if its job fails or is free.",
          "type": "integer"
        },
        "credits_remaining": {
          "description": "Credits left in your plan.",
          "type": "integer"
        },
        "saved_to": {
          "description": "Path of the file that the result was written to.",
          "type": "string"
        }
      },
      "required": [
        "id",
        "job_id",
        "success",
        "status",
        "progress",
        "filename",
        "scale_factor",
        "format",
        "quality",
        "engine",
        "original_size",
        "processed_size",
        "processing_time_ms",
        "processing_time",
        "fidelity",
        "estimated_seconds",
        "credits",
        "cached",
        "download_url",
        "status_url",
        "created_at",
        "expires_at",
        "sandbox",
        "notes"
      ]
    },
    "annotations": {
      "title": "Upscale an image",
      "readOnlyHint": false,
      "destructiveHint": false,
      "idempotentHint": false,
      "openWorldHint": true
    }
  },
  {
    "name": "resize_image",
    "title": "Resize an image",
    "description": "Changes the size of an image. Choose the size with one of `width` and `height`, `long_side`, `short_side`, `megapixels`, or `scale_factor`. Costs 1 credit per image. Images that fail are not charged. An image with a stored result gets a copy at no charge. Call `estimate` for the cost before you process an image, and `get_account` for the remaining credits. Waits for the result. If the job takes longer than `wait_seconds`, the response has the status `queued` or `processing`: call `get_job` with its ID. Don't repeat the call, because each call creates another job.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "image_url": {
          "description": "An https URL of the image. Send the image in one way only.",
          "type": "string",
          "format": "uri"
        },
        "image": {
          "type": "string",
          "description": "The image as base64, optionally with a `data:image/...;base64,` prefix."
        },
        "filename": {
          "description": "File name of an image sent as the request body or as base64.",
          "type": "string"
        },
        "width": {
          "description": "Width of the result.",
          "type": "integer",
          "minimum": 1,
          "maximum": 262144
        },
        "height": {
          "description": "Height of the result.",
          "type": "integer",
          "minimum": 1,
          "maximum": 262144
        },
        "fit": {
          "description": "How to fit the image into `width` and `height`: `cover` crops it, `inside` never makes it larger.",
          "default": "fit",
          "type": "string",
          "enum": [
            "fit",
            "cover",
            "inside"
          ]
        },
        "long_side": {
          "description": "Length of the longer side of the result.",
          "type": "integer",
          "minimum": 1,
          "maximum": 262144
        },
        "short_side": {
          "description": "Length of the shorter side of the result.",
          "type": "integer",
          "minimum": 1,
          "maximum": 262144
        },
        "megapixels": {
          "description": "Size of the result in millions of pixels, rounded to 6 decimal places.",
          "type": "number",
          "minimum": 0.000001,
          "maximum": 512
        },
        "scale_factor": {
          "description": "Scale factor for width and height, also as a fraction such as `4/3`, rounded to 6 decimal places; 2 if no size is given.",
          "type": "number",
          "minimum": 0.01,
          "maximum": 128
        },
        "engine": {
          "description": "Engine that processes the image; `auto` upscales with a model for photos or for drawings, and uses `standard` otherwise; `custom:` and a name run a model that the operator has added.",
          "default": "auto",
          "anyOf": [
            {
              "type": "string",
              "enum": [
                "auto",
                "photo-fast",
                "photo",
                "art",
                "art-fast",
                "standard",
                "nearest"
              ]
            },
            {
              "type": "string"
            }
          ]
        },
        "detail": {
          "description": "Look of images that are upscaled with AI: `faithful` keeps all detail, `crisp` makes outlines sharper in less time, but may lose the finest detail; `crisp` requires an AI engine and a scale factor above 1 and below 4; `faithful` by default.",
          "type": "string",
          "enum": [
            "faithful",
            "crisp"
          ]
        },
        "strength": {
          "description": "Strength of an AI engine, in percent; a smaller one blends its result with an image that is resampled without AI; 100 by default.",
          "type": "integer",
          "minimum": 0,
          "maximum": 100
        },
        "grain": {
          "description": "Strength of film grain that is added when upscaling, to hide overly smooth surfaces; 0 adds none.",
          "type": "integer",
          "minimum": 0,
          "maximum": 100
        },
        "edges": {
          "description": "How the borders are processed; `wrap` continues the image with its opposite border, which keeps seamless textures seamless; `clamp` by default.",
          "type": "string",
          "enum": [
            "clamp",
            "wrap"
          ]
        },
        "alpha": {
          "description": "Meaning of the alpha channel; `data` keeps all colors as they are where alpha is 0, resizes alpha without AI, and requires PNG, TIFF, WebP, or JPEG XL, which are then lossless; `transparency` by default.",
          "type": "string",
          "enum": [
            "transparency",
            "data"
          ]
        },
        "format": {
          "description": "File format of the result; `auto` chooses one based on the image.",
          "default": "jpeg",
          "type": "string",
          "enum": [
            "auto",
            "png",
            "jpeg",
            "webp",
            "avif",
            "jxl",
            "tiff",
            "gif"
          ]
        },
        "quality": {
          "description": "Compression quality of JPEG, WebP, AVIF, and JPEG XL; JPEG XL is lossless at 100.",
          "default": 85,
          "type": "integer",
          "minimum": 1,
          "maximum": 100
        },
        "target_bytes": {
          "description": "Maximum file size in bytes; the quality is reduced until the result fits.",
          "type": "integer",
          "minimum": 1024,
          "maximum": 1000000000
        },
        "background": {
          "description": "Background color for transparent areas in formats without transparency.",
          "default": "#ffffff",
          "type": "string"
        },
        "metadata": {
          "description": "Metadata to keep from EXIF, XMP, and IPTC; results of AI engines are also marked with `DigitalSourceType` of IPTC.",
          "default": "none",
          "type": "string",
          "enum": [
            "none",
            "copyright",
            "all"
          ]
        },
        "gps": {
          "description": "Also keep the location; requires `metadata` to be `all`.",
          "default": false,
          "type": "boolean"
        },
        "dpi": {
          "description": "Print resolution to write into the result, in dots per inch; the pixels stay the same.",
          "type": "integer",
          "minimum": 1,
          "maximum": 10000
        },
        "keep_dpi": {
          "description": "Keep the image's print resolution if `dpi` isn't set; true by default unless `metadata` is `none`.",
          "type": "boolean"
        },
        "print_profile": {
          "description": "Convert the result to CMYK for print with this ICC profile, which is embedded; requires JPEG or TIFF, and fills transparent areas with `background`; RGB by default.",
          "type": "string"
        },
        "retention": {
          "description": "Hours until the result is deleted.",
          "default": 24,
          "type": "number",
          "minimum": 0,
          "maximum": 24
        },
        "wait_seconds": {
          "default": 25,
          "description": "Seconds to wait for the result.",
          "type": "integer",
          "minimum": 0,
          "maximum": 60
        },
        "include_image": {
          "default": true,
          "description": "Return the result as an image that you can see, if it is a JPEG, PNG, WebP, or GIF of up to 500 kB. Larger results are links.",
          "type": "boolean"
        }
      },
      "additionalProperties": false
    },
    "localProperties": {
      "image_path": {
        "description": "Path of the image on this computer, inside an allowed folder.",
        "type": "string"
      },
      "output_path": {
        "type": "string",
        "description": "Path of a new file for the result, inside an allowed folder. Its extension sets the format: png, jpg, webp, avif, jxl, tif, gif."
      }
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string",
          "format": "uuid",
          "description": "ID of the job."
        },
        "job_id": {
          "type": "string",
          "format": "uuid",
          "description": "Same as `id`."
        },
        "success": {
          "description": "Whether the job made a result. `false` if it failed or was canceled, `null` until it ends.",
          "type": [
            "boolean",
            "null"
          ]
        },
        "status": {
          "type": "string",
          "enum": [
            "queued",
            "processing",
            "completed",
            "failed",
            "cancelled",
            "expired"
          ],
          "description": "Status of the job."
        },
        "progress": {
          "type": "integer",
          "minimum": 0,
          "maximum": 100,
          "description": "Progress in percent."
        },
        "queue_position": {
          "description": "Approximate number of jobs ahead of this one. Present while the job is queued.",
          "type": "integer",
          "minimum": 0
        },
        "filename": {
          "type": "string",
          "description": "File name of the image."
        },
        "scale_factor": {
          "type": "number",
          "description": "Scale factor for width and height."
        },
        "format": {
          "type": "string",
          "enum": [
            "png",
            "jpeg",
            "webp",
            "avif",
            "jxl",
            "tiff",
            "gif"
          ],
          "description": "File format of the result."
        },
        "quality": {
          "type": "integer",
          "description": "Compression quality of the result."
        },
        "engine": {
          "anyOf": [
            {
              "type": "string",
              "enum": [
                "auto",
                "photo-fast",
                "photo",
                "art",
                "art-fast",
                "standard",
                "nearest"
              ]
            },
            {
              "type": "string"
            }
          ],
          "description": "Engine that processes the image. `auto` is resolved when the job is created, and again when it runs, by content."
        },
        "original_size": {
          "type": "object",
          "properties": {
            "width": {
              "type": "integer",
              "description": "Width in pixels."
            },
            "height": {
              "type": "integer",
              "description": "Height in pixels."
            },
            "file_size": {
              "type": "integer",
              "description": "File size in bytes."
            }
          },
          "required": [
            "width",
            "height",
            "file_size"
          ],
          "description": "Size of the image."
        },
        "processed_size": {
          "anyOf": [
            {
              "type": "object",
              "properties": {
                "width": {
                  "type": "integer",
                  "description": "Width in pixels."
                },
                "height": {
                  "type": "integer",
                  "description": "Height in pixels."
                },
                "file_size": {
                  "type": "integer",
                  "description": "File size in bytes."
                }
              },
              "required": [
                "width",
                "height",
                "file_size"
              ]
            },
            {
              "type": "null"
            }
          ],
          "description": "Size of the result. `null` until the job is completed."
        },
        "processing_time_ms": {
          "anyOf": [
            {
              "type": "integer"
            },
            {
              "type": "null"
            }
          ],
          "description": "Processing time in milliseconds. `null` until the job is completed."
        },
        "processing_time": {
          "description": "Processing time in seconds.",
          "type": [
            "number",
            "null"
          ]
        },
        "fidelity": {
          "anyOf": [
            {
              "type": "number",
              "minimum": 0,
              "maximum": 100
            },
            {
              "type": "null"
            }
          ],
          "description": "Agreement of the result with the image at the same size, before compression. `100` is identical, and below `75` looks different. `null` until the job is completed, and for results of older versions."
        },
        "estimated_seconds": {
          "type": "number",
          "description": "Estimated processing time in seconds."
        },
        "credits": {
          "type": "integer",
          "description": "Credits that the job costs. `0` if it failed, was canceled free of charge, or isn't charged."
        },
        "cached": {
          "type": "boolean",
          "description": "Whether the result is a copy of a stored result of the same image and options, at no charge. `false` until the job is completed."
        },
        "free_cancel_until": {
          "description": "Time until which you can cancel the job free of charge. Present while the job is processing.",
          "type": "string",
          "format": "date-time"
        },
        "download_url": {
          "description": "Signed URL of the result. Works without an API key for 15 minutes. Each response contains a new one.",
          "type": [
            "string",
            "null"
          ]
        },
        "status_url": {
          "type": "string",
          "description": "URL of the job."
        },
        "created_at": {
          "type": "string",
          "format": "date-time",
          "description": "Time at which the job was created."
        },
        "expires_at": {
          "anyOf": [
            {
              "type": "string",
              "format": "date-time"
            },
            {
              "type": "null"
            }
          ],
          "description": "Time at which the result is deleted."
        },
        "sandbox": {
          "type": "boolean",
          "description": "Whether the job belongs to the sandbox."
        },
        "notes": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "Adjustments to your options, and options that were chosen for you."
        },
        "error": {
          "description": "Reason for the failure. Present if the job failed or was canceled.",
          "type": "object",
          "properties": {
            "code": {
              "type": "string",
              "description": "Error code."
            },
            "message": {
              "type": "string",
              "description": "Explanation of the error."
            },
            "documentation_url": {
              "type": "string",
              "description": "URL of the error code's documentation."
            }
          },
          "required": [
            "code",
            "message",
            "documentation_url"
          ]
        },
        "credits_charged": {
          "description": "Credits charged for this request. They are refunded if its job fails or is free.",
          "type": "integer"
        },
        "credits_remaining": {
          "description": "Credits left in your plan.",
          "type": "integer"
        },
        "saved_to": {
          "description": "Path of the file that the result was written to.",
          "type": "string"
        }
      },
      "required": [
        "id",
        "job_id",
        "success",
        "status",
        "progress",
        "filename",
        "scale_factor",
        "format",
        "quality",
        "engine",
        "original_size",
        "processed_size",
        "processing_time_ms",
        "processing_time",
        "fidelity",
        "estimated_seconds",
        "credits",
        "cached",
        "download_url",
        "status_url",
        "created_at",
        "expires_at",
        "sandbox",
        "notes"
      ]
    },
    "annotations": {
      "title": "Resize an image",
      "readOnlyHint": false,
      "destructiveHint": false,
      "idempotentHint": false,
      "openWorldHint": true
    }
  },
  {
    "name": "convert_image",
    "title": "Convert an image",
    "description": "Changes the file format of an image, its compression, or its metadata, and keeps its size in pixels. Costs 1 credit per image. Images that fail are not charged. An image with a stored result gets a copy at no charge. Call `estimate` for the cost before you process an image, and `get_account` for the remaining credits. Waits for the result. If the job takes longer than `wait_seconds`, the response has the status `queued` or `processing`: call `get_job` with its ID. Don't repeat the call, because each call creates another job.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "image_url": {
          "description": "An https URL of the image. Send the image in one way only.",
          "type": "string",
          "format": "uri"
        },
        "image": {
          "type": "string",
          "description": "The image as base64, optionally with a `data:image/...;base64,` prefix."
        },
        "filename": {
          "description": "File name of an image sent as the request body or as base64.",
          "type": "string"
        },
        "never_larger": {
          "description": "Return your image without a charge if the result would have the same dimensions and format, is made without AI, and would be a larger file; false by default.",
          "default": false,
          "type": "boolean"
        },
        "format": {
          "type": "string",
          "enum": [
            "auto",
            "png",
            "jpeg",
            "webp",
            "avif",
            "jxl",
            "tiff",
            "gif"
          ],
          "description": "File format of the result; `auto` chooses one based on the image."
        },
        "quality": {
          "description": "Compression quality of JPEG, WebP, AVIF, and JPEG XL; JPEG XL is lossless at 100.",
          "default": 85,
          "type": "integer",
          "minimum": 1,
          "maximum": 100
        },
        "target_bytes": {
          "description": "Maximum file size in bytes; the quality is reduced until the result fits.",
          "type": "integer",
          "minimum": 1024,
          "maximum": 1000000000
        },
        "background": {
          "description": "Background color for transparent areas in formats without transparency.",
          "default": "#ffffff",
          "type": "string"
        },
        "metadata": {
          "description": "Metadata to keep from EXIF, XMP, and IPTC; results of AI engines are also marked with `DigitalSourceType` of IPTC.",
          "default": "none",
          "type": "string",
          "enum": [
            "none",
            "copyright",
            "all"
          ]
        },
        "gps": {
          "description": "Also keep the location; requires `metadata` to be `all`.",
          "default": false,
          "type": "boolean"
        },
        "dpi": {
          "description": "Print resolution to write into the result, in dots per inch; the pixels stay the same.",
          "type": "integer",
          "minimum": 1,
          "maximum": 10000
        },
        "keep_dpi": {
          "description": "Keep the image's print resolution if `dpi` isn't set; true by default unless `metadata` is `none`.",
          "type": "boolean"
        },
        "print_profile": {
          "description": "Convert the result to CMYK for print with this ICC profile, which is embedded; requires JPEG or TIFF, and fills transparent areas with `background`; RGB by default.",
          "type": "string"
        },
        "retention": {
          "description": "Hours until the result is deleted.",
          "default": 24,
          "type": "number",
          "minimum": 0,
          "maximum": 24
        },
        "wait_seconds": {
          "default": 25,
          "description": "Seconds to wait for the result.",
          "type": "integer",
          "minimum": 0,
          "maximum": 60
        },
        "include_image": {
          "default": true,
          "description": "Return the result as an image that you can see, if it is a JPEG, PNG, WebP, or GIF of up to 500 kB. Larger results are links.",
          "type": "boolean"
        }
      },
      "required": [
        "format"
      ],
      "additionalProperties": false
    },
    "localProperties": {
      "image_path": {
        "description": "Path of the image on this computer, inside an allowed folder.",
        "type": "string"
      },
      "output_path": {
        "type": "string",
        "description": "Path of a new file for the result, inside an allowed folder. Its extension sets the format: png, jpg, webp, avif, jxl, tif, gif."
      }
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string",
          "format": "uuid",
          "description": "ID of the job."
        },
        "job_id": {
          "type": "string",
          "format": "uuid",
          "description": "Same as `id`."
        },
        "success": {
          "description": "Whether the job made a result. `false` if it failed or was canceled, `null` until it ends.",
          "type": [
            "boolean",
            "null"
          ]
        },
        "status": {
          "type": "string",
          "enum": [
            "queued",
            "processing",
            "completed",
            "failed",
            "cancelled",
            "expired"
          ],
          "description": "Status of the job."
        },
        "progress": {
          "type": "integer",
          "minimum": 0,
          "maximum": 100,
          "description": "Progress in percent."
        },
        "queue_position": {
          "description": "Approximate number of jobs ahead of this one. Present while the job is queued.",
          "type": "integer",
          "minimum": 0
        },
        "filename": {
          "type": "string",
          "description": "File name of the image."
        },
        "scale_factor": {
          "type": "number",
          "description": "Scale factor for width and height."
        },
        "format": {
          "type": "string",
          "enum": [
            "png",
            "jpeg",
            "webp",
            "avif",
            "jxl",
            "tiff",
            "gif"
          ],
          "description": "File format of the result."
        },
        "quality": {
          "type": "integer",
          "description": "Compression quality of the result."
        },
        "engine": {
          "anyOf": [
            {
              "type": "string",
              "enum": [
                "auto",
                "photo-fast",
                "photo",
                "art",
                "art-fast",
                "standard",
                "nearest"
              ]
            },
            {
              "type": "string"
            }
          ],
          "description": "Engine that processes the image. `auto` is resolved when the job is created, and again when it runs, by content."
        },
        "original_size": {
          "type": "object",
          "properties": {
            "width": {
              "type": "integer",
              "description": "Width in pixels."
            },
            "height": {
              "type": "integer",
              "description": "Height in pixels."
            },
            "file_size": {
              "type": "integer",
              "description": "File size in bytes."
            }
          },
          "required": [
            "width",
            "height",
            "file_size"
          ],
          "description": "Size of the image."
        },
        "processed_size": {
          "anyOf": [
            {
              "type": "object",
              "properties": {
                "width": {
                  "type": "integer",
                  "description": "Width in pixels."
                },
                "height": {
                  "type": "integer",
                  "description": "Height in pixels."
                },
                "file_size": {
                  "type": "integer",
                  "description": "File size in bytes."
                }
              },
              "required": [
                "width",
                "height",
                "file_size"
              ]
            },
            {
              "type": "null"
            }
          ],
          "description": "Size of the result. `null` until the job is completed."
        },
        "processing_time_ms": {
          "anyOf": [
            {
              "type": "integer"
            },
            {
              "type": "null"
            }
          ],
          "description": "Processing time in milliseconds. `null` until the job is completed."
        },
        "processing_time": {
          "description": "Processing time in seconds.",
          "type": [
            "number",
            "null"
          ]
        },
        "fidelity": {
          "anyOf": [
            {
              "type": "number",
              "minimum": 0,
              "maximum": 100
            },
            {
              "type": "null"
            }
          ],
          "description": "Agreement of the result with the image at the same size, before compression. `100` is identical, and below `75` looks different. `null` until the job is completed, and for results of older versions."
        },
        "estimated_seconds": {
          "type": "number",
          "description": "Estimated processing time in seconds."
        },
        "credits": {
          "type": "integer",
          "description": "Credits that the job costs. `0` if it failed, was canceled free of charge, or isn't charged."
        },
        "cached": {
          "type": "boolean",
          "description": "Whether the result is a copy of a stored result of the same image and options, at no charge. `false` until the job is completed."
        },
        "free_cancel_until": {
          "description": "Time until which you can cancel the job free of charge. Present while the job is processing.",
          "type": "string",
          "format": "date-time"
        },
        "download_url": {
          "description": "Signed URL of the result. Works without an API key for 15 minutes. Each response contains a new one.",
          "type": [
            "string",
            "null"
          ]
        },
        "status_url": {
          "type": "string",
          "description": "URL of the job."
        },
        "created_at": {
          "type": "string",
          "format": "date-time",
          "description": "Time at which the job was created."
        },
        "expires_at": {
          "anyOf": [
            {
              "type": "string",
              "format": "date-time"
            },
            {
              "type": "null"
            }
          ],
          "description": "Time at which the result is deleted."
        },
        "sandbox": {
          "type": "boolean",
          "description": "Whether the job belongs to the sandbox."
        },
        "notes": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "Adjustments to your options, and options that were chosen for you."
        },
        "error": {
          "description": "Reason for the failure. Present if the job failed or was canceled.",
          "type": "object",
          "properties": {
            "code": {
              "type": "string",
              "description": "Error code."
            },
            "message": {
              "type": "string",
              "description": "Explanation of the error."
            },
            "documentation_url": {
              "type": "string",
              "description": "URL of the error code's documentation."
            }
          },
          "required": [
            "code",
            "message",
            "documentation_url"
          ]
        },
        "credits_charged": {
          "description": "Credits charged for this request. They are refunded if its job fails or is free.",
          "type": "integer"
        },
        "credits_remaining": {
          "description": "Credits left in your plan.",
          "type": "integer"
        },
        "saved_to": {
          "description": "Path of the file that the result was written to.",
          "type": "string"
        }
      },
      "required": [
        "id",
        "job_id",
        "success",
        "status",
        "progress",
        "filename",
        "scale_factor",
        "format",
        "quality",
        "engine",
        "original_size",
        "processed_size",
        "processing_time_ms",
        "processing_time",
        "fidelity",
        "estimated_seconds",
        "credits",
        "cached",
        "download_url",
        "status_url",
        "created_at",
        "expires_at",
        "sandbox",
        "notes"
      ]
    },
    "annotations": {
      "title": "Convert an image",
      "readOnlyHint": false,
      "destructiveHint": false,
      "idempotentHint": false,
      "openWorldHint": true
    }
  },
  {
    "name": "estimate",
    "title": "Estimate a job",
    "description": "Returns the cost, size, and time of a job without processing an image. Free. Send an image, or its `width` and `height`. All other arguments are the options of the job. For a result of a size in pixels, use `target`. For a job that would be rejected, the response or the error contains the reason, with the limit and the value that exceeds it.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "image_url": {
          "description": "An https URL of the image. Send the image in one way only.",
          "type": "string",
          "format": "uri"
        },
        "image": {
          "type": "string",
          "description": "The image as base64, optionally with a `data:image/...;base64,` prefix."
        },
        "filename": {
          "description": "File name of an image sent as the request body or as base64.",
          "type": "string"
        },
        "width": {
          "type": "integer",
          "exclusiveMinimum": 0,
          "description": "Width of the image in pixels."
        },
        "height": {
          "type": "integer",
          "exclusiveMinimum": 0,
          "description": "Height of the image in pixels."
        },
        "bytes": {
          "description": "File size of the image in bytes.",
          "type": "integer",
          "minimum": 0
        },
        "has_alpha": {
          "default": false,
          "description": "Whether the image has transparency.",
          "type": "boolean"
        },
        "source_format": {
          "default": "jpeg",
          "description": "File format of the image. `format` is the format of the result.",
          "type": "string",
          "enum": [
            "jpeg",
            "png",
            "webp",
            "gif",
            "tiff",
            "bmp",
            "avif",
            "heic",
            "jxl"
          ]
        },
        "frames": {
          "default": 1,
          "description": "Number of frames of an animation.",
          "type": "integer",
          "exclusiveMinimum": 0
        },
        "target": {
          "description": "Size of the result in pixels, as `width` and `height` with `fit`.",
          "type": "object",
          "properties": {
            "width": {
              "description": "Width of the result.",
              "type": "integer",
              "minimum": 1,
              "maximum": 262144
            },
            "height": {
              "description": "Height of the result.",
              "type": "integer",
              "minimum": 1,
              "maximum": 262144
            },
            "fit": {
              "description": "How to fit the image into `width` and `height`: `cover` crops it, `inside` never makes it larger.",
              "default": "fit",
              "type": "string",
              "enum": [
                "fit",
                "cover",
                "inside"
              ]
            }
          }
        },
        "scale_factor": {
          "description": "Scale factor for width and height, also as a fraction such as `4/3`, rounded to 6 decimal places; 2 if no size is given.",
          "type": "number",
          "minimum": 0.01,
          "maximum": 128
        },
        "long_side": {
          "description": "Length of the longer side of the result.",
          "type": "integer",
          "minimum": 1,
          "maximum": 262144
        },
        "short_side": {
          "description": "Length of the shorter side of the result.",
          "type": "integer",
          "minimum": 1,
          "maximum": 262144
        },
        "megapixels": {
          "description": "Size of the result in millions of pixels, rounded to 6 decimal places.",
          "type": "number",
          "minimum": 0.000001,
          "maximum": 512
        },
        "engine": {
          "description": "Engine that processes the image; `auto` upscales with a model for photos or for drawings, and uses `standard` otherwise; `custom:` and a name run a model that the operator has added.",
          "default": "auto",
          "anyOf": [
            {
              "type": "string",
              "enum": [
                "auto",
                "photo-fast",
                "photo",
                "art",
                "art-fast",
                "standard",
                "nearest"
              ]
            },
            {
              "type": "string"
            }
          ]
        },
        "detail": {
          "description": "Look of images that are upscaled with AI: `faithful` keeps all detail, `crisp` makes outlines sharper in less time, but may lose the finest detail; `crisp` requires an AI engine and a scale factor above 1 and below 4; `faithful` by default.",
          "type": "string",
          "enum": [
            "faithful",
            "crisp"
          ]
        },
        "strength": {
          "description": "Strength of an AI engine, in percent; a smaller one blends its result with an image that is resampled without AI; 100 by default.",
          "type": "integer",
          "minimum": 0,
          "maximum": 100
        },
        "grain": {
          "description": "Strength of film grain that is added when upscaling, to hide overly smooth surfaces; 0 adds none.",
          "type": "integer",
          "minimum": 0,
          "maximum": 100
        },
        "edges": {
          "description": "How the borders are processed; `wrap` continues the image with its opposite border, which keeps seamless textures seamless; `clamp` by default.",
          "type": "string",
          "enum": [
            "clamp",
            "wrap"
          ]
        },
        "alpha": {
          "description": "Meaning of the alpha channel; `data` keeps all colors as they are where alpha is 0, resizes alpha without AI, and requires PNG, TIFF, WebP, or JPEG XL, which are then lossless; `transparency` by default.",
          "type": "string",
          "enum": [
            "transparency",
            "data"
          ]
        },
        "format": {
          "description": "File format of the result; `auto` chooses one based on the image.",
          "default": "jpeg",
          "type": "string",
          "enum": [
            "auto",
            "png",
            "jpeg",
            "webp",
            "avif",
            "jxl",
            "tiff",
            "gif"
          ]
        },
        "quality": {
          "description": "Compression quality of JPEG, WebP, AVIF, and JPEG XL; JPEG XL is lossless at 100.",
          "default": 85,
          "type": "integer",
          "minimum": 1,
          "maximum": 100
        },
        "target_bytes": {
          "description": "Maximum file size in bytes; the quality is reduced until the result fits.",
          "type": "integer",
          "minimum": 1024,
          "maximum": 1000000000
        },
        "background": {
          "description": "Background color for transparent areas in formats without transparency.",
          "default": "#ffffff",
          "type": "string"
        },
        "metadata": {
          "description": "Metadata to keep from EXIF, XMP, and IPTC; results of AI engines are also marked with `DigitalSourceType` of IPTC.",
          "default": "none",
          "type": "string",
          "enum": [
            "none",
            "copyright",
            "all"
          ]
        },
        "gps": {
          "description": "Also keep the location; requires `metadata` to be `all`.",
          "default": false,
          "type": "boolean"
        },
        "dpi": {
          "description": "Print resolution to write into the result, in dots per inch; the pixels stay the same.",
          "type": "integer",
          "minimum": 1,
          "maximum": 10000
        },
        "keep_dpi": {
          "description": "Keep the image's print resolution if `dpi` isn't set; true by default unless `metadata` is `none`.",
          "type": "boolean"
        },
        "print_profile": {
          "description": "Convert the result to CMYK for print with this ICC profile, which is embedded; requires JPEG or TIFF, and fills transparent areas with `background`; RGB by default.",
          "type": "string"
        },
        "retention": {
          "description": "Hours until the result is deleted.",
          "default": 24,
          "type": "number",
          "minimum": 0,
          "maximum": 24
        }
      },
      "additionalProperties": false
    },
    "localProperties": {
      "image_path": {
        "description": "Path of the image on this computer, inside an allowed folder.",
        "type": "string"
      }
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "dry_run": {
          "type": "boolean",
          "const": true,
          "description": "Always `true`."
        },
        "width": {
          "type": "integer",
          "description": "Width of the result in pixels."
        },
        "height": {
          "type": "integer",
          "description": "Height of the result in pixels."
        },
        "bytes": {
          "description": "Estimated file size in bytes. `null` if the image can't be processed.",
          "type": [
            "number",
            "null"
          ]
        },
        "seconds": {
          "description": "Estimated processing time in seconds. `null` if the image can't be processed.",
          "type": [
            "number",
            "null"
          ]
        },
        "min_seconds": {
          "description": "Estimated processing time in seconds if the image is soft, because soft parts are processed at a smaller size. `null` if the image can't be processed.",
          "type": [
            "number",
            "null"
          ]
        },
        "format": {
          "type": "string",
          "enum": [
            "png",
            "jpeg",
            "webp",
            "avif",
            "jxl",
            "tiff",
            "gif"
          ],
          "description": "File format of the result."
        },
        "quality": {
          "type": "integer",
          "description": "Compression quality of the result."
        },
        "engine": {
          "anyOf": [
            {
              "type": "string",
              "enum": [
                "auto",
                "photo-fast",
                "photo",
                "art",
                "art-fast",
                "standard",
                "nearest"
              ]
            },
            {
              "type": "string"
            }
          ],
          "description": "Engine that would process the image."
        },
        "original_size": {
          "type": "object",
          "properties": {
            "width": {
              "type": "integer",
              "description": "Width in pixels."
            },
            "height": {
              "type": "integer",
              "description": "Height in pixels."
            },
            "file_size": {
              "type": "integer",
              "description": "File size in bytes."
            }
          },
          "required": [
            "width",
            "height",
            "file_size"
          ],
          "description": "Size of the image in pixels and bytes."
        },
        "units": {
          "type": "integer",
          "description": "Credits that the job would cost."
        },
        "meter": {
          "type": "string",
          "enum": [
            "ai",
            "standard",
            "shared"
          ],
          "description": "Quota that the credits would be taken from."
        },
        "notes": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "Adjustments to your options, and options that were chosen for you."
        },
        "paused_engine": {
          "anyOf": [
            {
              "anyOf": [
                {
                  "type": "string",
                  "enum": [
                    "photo-fast",
                    "photo",
                    "art",
                    "art-fast",
                    "standard",
                    "nearest"
                  ]
                },
                {
                  "type": "string"
                }
              ]
            },
            {
              "type": "null"
            }
          ],
          "description": "Engine of the job, if it is paused. The job waits until the engine resumes. `null` if it runs."
        },
        "wait_seconds": {
          "anyOf": [
            {
              "type": "number",
              "minimum": 0
            },
            {
              "type": "null"
            }
          ],
          "description": "Estimated seconds in the queue before processing starts. `null` if unknown."
        },
        "limit": {
          "description": "The first limit that the job would exceed. Absent if the job would be accepted.",
          "type": "object",
          "properties": {
            "code": {
              "type": "string",
              "description": "Error code."
            },
            "detail": {
              "type": "string",
              "description": "Explanation of the error."
            },
            "limit": {
              "description": "The limit.",
              "type": [
                "number",
                "string"
              ]
            },
            "value": {
              "description": "The value that exceeds it.",
              "type": [
                "number",
                "string"
              ]
            },
            "max_scale": {
              "description": "Largest accepted scale factor.",
              "type": "number"
            },
            "unlocked_by": {
              "description": "Smallest plan that allows it.",
              "type": "string",
              "enum": [
                "free",
                "pro",
                "api_basic",
                "api_pro",
                "enterprise"
              ]
            }
          },
          "required": [
            "code",
            "detail",
            "limit",
            "value"
          ]
        },
        "credits_remaining": {
          "description": "Credits left in your plan.",
          "type": "integer"
        }
      },
      "required": [
        "width",
        "height",
        "units",
        "meter"
      ]
    },
    "annotations": {
      "title": "Estimate a job",
      "readOnlyHint": true,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": true
    }
  },
  {
    "name": "get_job",
    "title": "Get a job",
    "description": "Returns the status of a job, and its result with a new download link when it is completed. Free. Waits up to `wait_seconds` for a job that is not finished.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "job_id": {
          "type": "string",
          "format": "uuid",
          "description": "ID of the job."
        },
        "wait_seconds": {
          "default": 25,
          "description": "Seconds to wait for the result.",
          "type": "integer",
          "minimum": 0,
          "maximum": 60
        },
        "include_image": {
          "default": true,
          "description": "Return the result as an image that you can see, if it is a JPEG, PNG, WebP, or GIF of up to 500 kB. Larger results are links.",
          "type": "boolean"
        }
      },
      "required": [
        "job_id"
      ],
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string",
          "format": "uuid",
          "description": "ID of the job."
        },
        "job_id": {
          "type": "string",
          "format": "uuid",
          "description": "Same as `id`."
        },
        "success": {
          "description": "Whether the job made a result. `false` if it failed or was canceled, `null` until it ends.",
          "type": [
            "boolean",
            "null"
          ]
        },
        "status": {
          "type": "string",
          "enum": [
            "queued",
            "processing",
            "completed",
            "failed",
            "cancelled",
            "expired"
          ],
          "description": "Status of the job."
        },
        "progress": {
          "type": "integer",
          "minimum": 0,
          "maximum": 100,
          "description": "Progress in percent."
        },
        "queue_position": {
          "description": "Approximate number of jobs ahead of this one. Present while the job is queued.",
          "type": "integer",
          "minimum": 0
        },
        "filename": {
          "type": "string",
          "description": "File name of the image."
        },
        "scale_factor": {
          "type": "number",
          "description": "Scale factor for width and height."
        },
        "format": {
          "type": "string",
          "enum": [
            "png",
            "jpeg",
            "webp",
            "avif",
            "jxl",
            "tiff",
            "gif"
          ],
          "description": "File format of the result."
        },
        "quality": {
          "type": "integer",
          "description": "Compression quality of the result."
        },
        "engine": {
          "anyOf": [
            {
              "type": "string",
              "enum": [
                "auto",
                "photo-fast",
                "photo",
                "art",
                "art-fast",
                "standard",
                "nearest"
              ]
            },
            {
              "type": "string"
            }
          ],
          "description": "Engine that processes the image. `auto` is resolved when the job is created, and again when it runs, by content."
        },
        "original_size": {
          "type": "object",
          "properties": {
            "width": {
              "type": "integer",
              "description": "Width in pixels."
            },
            "height": {
              "type": "integer",
              "description": "Height in pixels."
            },
            "file_size": {
              "type": "integer",
              "description": "File size in bytes."
            }
          },
          "required": [
            "width",
            "height",
            "file_size"
          ],
          "description": "Size of the image."
        },
        "processed_size": {
          "anyOf": [
            {
              "type": "object",
              "properties": {
                "width": {
                  "type": "integer",
                  "description": "Width in pixels."
                },
                "height": {
                  "type": "integer",
                  "description": "Height in pixels."
                },
                "file_size": {
                  "type": "integer",
                  "description": "File size in bytes."
                }
              },
              "required": [
                "width",
                "height",
                "file_size"
              ]
            },
            {
              "type": "null"
            }
          ],
          "description": "Size of the result. `null` until the job is completed."
        },
        "processing_time_ms": {
          "anyOf": [
            {
              "type": "integer"
            },
            {
              "type": "null"
            }
          ],
          "description": "Processing time in milliseconds. `null` until the job is completed."
        },
        "processing_time": {
          "description": "Processing time in seconds.",
          "type": [
            "number",
            "null"
          ]
        },
        "fidelity": {
          "anyOf": [
            {
              "type": "number",
              "minimum": 0,
              "maximum": 100
            },
            {
              "type": "null"
            }
          ],
          "description": "Agreement of the result with the image at the same size, before compression. `100` is identical, and below `75` looks different. `null` until the job is completed, and for results of older versions."
        },
        "estimated_seconds": {
          "type": "number",
          "description": "Estimated processing time in seconds."
        },
        "credits": {
          "type": "integer",
          "description": "Credits that the job costs. `0` if it failed, was canceled free of charge, or isn't charged."
        },
        "cached": {
          "type": "boolean",
          "description": "Whether the result is a copy of a stored result of the same image and options, at no charge. `false` until the job is completed."
        },
        "free_cancel_until": {
          "description": "Time until which you can cancel the job free of charge. Present while the job is processing.",
          "type": "string",
          "format": "date-time"
        },
        "download_url": {
          "description": "Signed URL of the result. Works without an API key for 15 minutes. Each response contains a new one.",
          "type": [
            "string",
            "null"
          ]
        },
        "status_url": {
          "type": "string",
          "description": "URL of the job."
        },
        "created_at": {
          "type": "string",
          "format": "date-time",
          "description": "Time at which the job was created."
        },
        "expires_at": {
          "anyOf": [
            {
              "type": "string",
              "format": "date-time"
            },
            {
              "type": "null"
            }
          ],
          "description": "Time at which the result is deleted."
        },
        "sandbox": {
          "type": "boolean",
          "description": "Whether the job belongs to the sandbox."
        },
        "notes": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "Adjustments to your options, and options that were chosen for you."
        },
        "error": {
          "description": "Reason for the failure. Present if the job failed or was canceled.",
          "type": "object",
          "properties": {
            "code": {
              "type": "string",
              "description": "Error code."
            },
            "message": {
              "type": "string",
              "description": "Explanation of the error."
            },
            "documentation_url": {
              "type": "string",
              "description": "URL of the error code's documentation."
            }
          },
          "required": [
            "code",
            "message",
            "documentation_url"
          ]
        },
        "credits_charged": {
          "description": "Credits charged for this request. They are refunded if its job fails or is free.",
          "type": "integer"
        },
        "credits_remaining": {
          "description": "Credits left in your plan.",
          "type": "integer"
        },
        "saved_to": {
          "description": "Path of the file that the result was written to.",
          "type": "string"
        }
      },
      "required": [
        "id",
        "job_id",
        "success",
        "status",
        "progress",
        "filename",
        "scale_factor",
        "format",
        "quality",
        "engine",
        "original_size",
        "processed_size",
        "processing_time_ms",
        "processing_time",
        "fidelity",
        "estimated_seconds",
        "credits",
        "cached",
        "download_url",
        "status_url",
        "created_at",
        "expires_at",
        "sandbox",
        "notes"
      ]
    },
    "annotations": {
      "title": "Get a job",
      "readOnlyHint": true,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": true
    }
  },
  {
    "name": "get_account",
    "title": "Get the account",
    "description": "Returns the plan, the remaining credits, and the limits of the API key. Free.",
    "inputSchema": {
      "type": "object",
      "properties": {},
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "plan": {
          "type": "object",
          "properties": {
            "key": {
              "type": "string",
              "enum": [
                "free",
                "pro",
                "api_basic",
                "api_pro",
                "enterprise"
              ],
              "description": "ID of the plan."
            },
            "name": {
              "type": "string",
              "description": "Name of the plan."
            }
          },
          "required": [
            "key",
            "name"
          ],
          "description": "Your plan."
        },
        "calls_per_minute": {
          "type": "integer",
          "description": "Maximum number of processing requests per minute."
        },
        "hard_stop": {
          "type": "boolean",
          "description": "Whether processing stops when no credits are left."
        },
        "quota": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "meter": {
                "type": "string",
                "enum": [
                  "ai",
                  "standard",
                  "shared"
                ],
                "description": "Quota: `ai`, `standard`, or `shared` for both."
              },
              "included": {
                "type": "integer",
                "description": "Credits included in your plan."
              },
              "granted": {
                "type": "integer",
                "description": "Credits granted in addition to the plan."
              },
              "used": {
                "type": "integer",
                "description": "Credits used in this period."
              },
              "left": {
                "type": "integer",
                "description": "Credits left."
              },
              "resets_at": {
                "type": "string",
                "format": "date-time",
                "description": "Time at which the quota resets."
              }
            },
            "required": [
              "meter",
              "included",
              "granted",
              "used",
              "left",
              "resets_at"
            ]
          },
          "description": "Your quotas."
        },
        "key": {
          "type": "object",
          "properties": {
            "id": {
              "type": "string",
              "format": "uuid",
              "description": "ID of the API key."
            },
            "name": {
              "type": "string",
              "description": "Name of the API key."
            },
            "kind": {
              "type": "string",
              "enum": [
                "live",
                "test"
              ],
              "description": "`test` keys use the sandbox."
            },
            "scopes": {
              "type": "array",
              "items": {
                "type": "string",
                "enum": [
                  "process",
                  "read",
                  "webhooks"
                ]
              },
              "description": "Permissions of the API key."
            },
            "expires_at": {
              "anyOf": [
                {
                  "type": "string",
                  "format": "date-time"
                },
                {
                  "type": "null"
                }
              ],
              "description": "Time at which the API key expires."
            },
            "monthly_cap": {
              "anyOf": [
                {
                  "type": "integer"
                },
                {
                  "type": "null"
                }
              ],
              "description": "Monthly credit limit of the API key."
            },
            "units_this_month": {
              "type": "integer",
              "description": "Credits that the API key used this month."
            }
          },
          "required": [
            "id",
            "name",
            "kind",
            "scopes",
            "expires_at",
            "monthly_cap",
            "units_this_month"
          ],
          "description": "The API key of the request."
        }
      },
      "required": [
        "plan",
        "calls_per_minute",
        "hard_stop",
        "quota",
        "key"
      ]
    },
    "annotations": {
      "title": "Get the account",
      "readOnlyHint": true,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": true
    }
  },
  {
    "name": "save_result",
    "title": "Save a result",
    "description": "Writes the result of a completed job to a file on this computer. Free. Never overwrites a file.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "job_id": {
          "type": "string",
          "format": "uuid",
          "description": "ID of the job."
        },
        "output_path": {
          "type": "string",
          "description": "Path of a new file for the result, inside an allowed folder. Its extension sets the format: png, jpg, webp, avif, jxl, tif, gif."
        }
      },
      "required": [
        "job_id",
        "output_path"
      ],
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string",
          "format": "uuid",
          "description": "ID of the job."
        },
        "job_id": {
          "type": "string",
          "format": "uuid",
          "description": "Same as `id`."
        },
        "success": {
          "description": "Whether the job made a result. `false` if it failed or was canceled, `null` until it ends.",
          "type": [
            "boolean",
            "null"
          ]
        },
        "status": {
          "type": "string",
          "enum": [
            "queued",
            "processing",
            "completed",
            "failed",
            "cancelled",
            "expired"
          ],
          "description": "Status of the job."
        },
        "progress": {
          "type": "integer",
          "minimum": 0,
          "maximum": 100,
          "description": "Progress in percent."
        },
        "queue_position": {
          "description": "Approximate number of jobs ahead of this one. Present while the job is queued.",
          "type": "integer",
          "minimum": 0
        },
        "filename": {
          "type": "string",
          "description": "File name of the image."
        },
        "scale_factor": {
          "type": "number",
          "description": "Scale factor for width and height."
        },
        "format": {
          "type": "string",
          "enum": [
            "png",
            "jpeg",
            "webp",
            "avif",
            "jxl",
            "tiff",
            "gif"
          ],
          "description": "File format of the result."
        },
        "quality": {
          "type": "integer",
          "description": "Compression quality of the result."
        },
        "engine": {
          "anyOf": [
            {
              "type": "string",
              "enum": [
                "auto",
                "photo-fast",
                "photo",
                "art",
                "art-fast",
                "standard",
                "nearest"
              ]
            },
            {
              "type": "string"
            }
          ],
          "description": "Engine that processes the image. `auto` is resolved when the job is created, and again when it runs, by content."
        },
        "original_size": {
          "type": "object",
          "properties": {
            "width": {
              "type": "integer",
              "description": "Width in pixels."
            },
            "height": {
              "type": "integer",
              "description": "Height in pixels."
            },
            "file_size": {
              "type": "integer",
              "description": "File size in bytes."
            }
          },
          "required": [
            "width",
            "height",
            "file_size"
          ],
          "description": "Size of the image."
        },
        "processed_size": {
          "anyOf": [
            {
              "type": "object",
              "properties": {
                "width": {
                  "type": "integer",
                  "description": "Width in pixels."
                },
                "height": {
                  "type": "integer",
                  "description": "Height in pixels."
                },
                "file_size": {
                  "type": "integer",
                  "description": "File size in bytes."
                }
              },
              "required": [
                "width",
                "height",
                "file_size"
              ]
            },
            {
              "type": "null"
            }
          ],
          "description": "Size of the result. `null` until the job is completed."
        },
        "processing_time_ms": {
          "anyOf": [
            {
              "type": "integer"
            },
            {
              "type": "null"
            }
          ],
          "description": "Processing time in milliseconds. `null` until the job is completed."
        },
        "processing_time": {
          "description": "Processing time in seconds.",
          "type": [
            "number",
            "null"
          ]
        },
        "fidelity": {
          "anyOf": [
            {
              "type": "number",
              "minimum": 0,
              "maximum": 100
            },
            {
              "type": "null"
            }
          ],
          "description": "Agreement of the result with the image at the same size, before compression. `100` is identical, and below `75` looks different. `null` until the job is completed, and for results of older versions."
        },
        "estimated_seconds": {
          "type": "number",
          "description": "Estimated processing time in seconds."
        },
        "credits": {
          "type": "integer",
          "description": "Credits that the job costs. `0` if it failed, was canceled free of charge, or isn't charged."
        },
        "cached": {
          "type": "boolean",
          "description": "Whether the result is a copy of a stored result of the same image and options, at no charge. `false` until the job is completed."
        },
        "free_cancel_until": {
          "description": "Time until which you can cancel the job free of charge. Present while the job is processing.",
          "type": "string",
          "format": "date-time"
        },
        "download_url": {
          "description": "Signed URL of the result. Works without an API key for 15 minutes. Each response contains a new one.",
          "type": [
            "string",
            "null"
          ]
        },
        "status_url": {
          "type": "string",
          "description": "URL of the job."
        },
        "created_at": {
          "type": "string",
          "format": "date-time",
          "description": "Time at which the job was created."
        },
        "expires_at": {
          "anyOf": [
            {
              "type": "string",
              "format": "date-time"
            },
            {
              "type": "null"
            }
          ],
          "description": "Time at which the result is deleted."
        },
        "sandbox": {
          "type": "boolean",
          "description": "Whether the job belongs to the sandbox."
        },
        "notes": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "Adjustments to your options, and options that were chosen for you."
        },
        "error": {
          "description": "Reason for the failure. Present if the job failed or was canceled.",
          "type": "object",
          "properties": {
            "code": {
              "type": "string",
              "description": "Error code."
            },
            "message": {
              "type": "string",
              "description": "Explanation of the error."
            },
            "documentation_url": {
              "type": "string",
              "description": "URL of the error code's documentation."
            }
          },
          "required": [
            "code",
            "message",
            "documentation_url"
          ]
        },
        "credits_charged": {
          "description": "Credits charged for this request. They are refunded if its job fails or is free.",
          "type": "integer"
        },
        "credits_remaining": {
          "description": "Credits left in your plan.",
          "type": "integer"
        },
        "saved_to": {
          "description": "Path of the file that the result was written to.",
          "type": "string"
        }
      },
      "required": [
        "id",
        "job_id",
        "success",
        "status",
        "progress",
        "filename",
        "scale_factor",
        "format",
        "quality",
        "engine",
        "original_size",
        "processed_size",
        "processing_time_ms",
        "processing_time",
        "fidelity",
        "estimated_seconds",
        "credits",
        "cached",
        "download_url",
        "status_url",
        "created_at",
        "expires_at",
        "sandbox",
        "notes"
      ]
    },
    "annotations": {
      "title": "Save a result",
      "readOnlyHint": false,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": true
    }
  }
] as const;
