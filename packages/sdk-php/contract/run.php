<?php

declare(strict_types=1);

// Runs the shared SDK cases and prints one line of JSON per case.

require __DIR__ . '/../autoload.php';

use Uprez\Account;
use Uprez\Batch;
use Uprez\Deletion;
use Uprez\Delivery;
use Uprez\DryRun;
use Uprez\Estimate;
use Uprez\Exception\ApiException;
use Uprez\Exception\JobFailedException;
use Uprez\Exception\UprezException;
use Uprez\Image;
use Uprez\ImageUrl;
use Uprez\Job;
use Uprez\Options;
use Uprez\Page;
use Uprez\Uprez;
use Uprez\Webhook;
use Uprez\WebhookEndpoint;

/**
 * @param array<string, mixed> $given
 *
 * @return array<string, mixed> names of parameters
 */
function named(array $given): array
{
    $named = [];
    foreach ($given as $name => $value) {
        $named[lcfirst(str_replace('_', '', ucwords($name, '_')))] = $value;
    }
    return $named;
}

/** @param array<string, mixed> $given */
function options(array $given): Options
{
    if (isset($given['mask'])) {
        $given['mask'] = base64_decode($given['mask']);
    }
    return new Options(...named($given));
}

/** @param array<string, string> $input */
function image(array $input): string|Image
{
    $path = getenv('UPREZ_FILES') . '/' . ($input['file'] ?? '');
    return match ($input['kind']) {
        'path' => $path,
        'bytes' => Image::fromBytes((string) file_get_contents($path), $input['file']),
        'stream' => Image::fromStream(fopen($path, 'rb'), $input['file']),
        'pipe' => Image::fromStream(popen('cat ' . escapeshellarg($path), 'r'), $input['file']),
        'url' => Image::fromUrl($input['url']),
    };
}

/** @param array<string, string> $input */
function batchImage(array $input): string|Image
{
    $image = image($input);
    return isset($input['target_url']) && $image instanceof Image ? $image->withTarget($input['target_url']) : $image;
}

/** @param array<string, mixed> $case */
function process(Uprez $client, array $case): Job|DryRun
{
    $image = image($case['input']);
    $given = $case['options'] ?? [];
    $isDry = $given['dry_run'] ?? false;
    unset($given['dry_run']);
    return $isDry
        ? $client->dryRun($image, options($given))
        : $client->process($image, options($given), $case['idempotency_key'] ?? null);
}

/**
 * @param array<string, mixed> $case
 *
 * @return array<string, mixed>
 */
function processToFile(Uprez $client, array $case): array
{
    $path = getenv('UPREZ_OUT') . '/' . $case['name'];
    $bytes = $client->processImage(image($case['input']), options($case['options'] ?? []));
    return saved($path, file_put_contents($path, $bytes));
}

/** @param array<string, mixed> $given */
function signUrl(array $given, Options $options): string
{
    $expiresAt = isset($given['expires_at']) ? new DateTimeImmutable("@{$given['expires_at']}") : null;
    return ImageUrl::sign(...named(['expires_at' => $expiresAt] + $given), options: $options);
}

/** @param array<string, mixed> $case */
function start(Uprez $client, array $case): mixed
{
    $query = $case['query'] ?? [];
    return match ($case['do']) {
        'process' => process($client, $case),
        'image' => processToFile($client, $case),
        'batch' => $client->batches->process(
            [
                ...array_map(static fn (string $name) => str_starts_with($name, 'https:')
                    ? Image::fromUrl($name)
                    : getenv('UPREZ_FILES') . "/$name", $case['files'] ?? []),
                ...array_map(batchImage(...), $case['inputs'] ?? []),
            ],
            options($case['options'] ?? []),
        ),
        'webhook' => $client->webhooks->create(...$case['webhook']),
        'webhooks' => ['kinds' => array_column($client->webhooks->list(), 'kind')],
        'deliveries' => $client->webhooks->deliveries($case['id'], ...$query),
        'delivery' => $client->webhooks->delivery($case['id'], $case['delivery_id']),
        'verify' => ['event' => Webhook::verify(
            $case['payload'],
            $case['headers'],
            $case['secrets'],
            $case['tolerance_s'],
            $case['now'],
        )],
        'sign_image_url' => ['url' => signUrl($case['image_url'], options($case['options'] ?? []))],
        'get' => $client->jobs->get($case['id']),
        'cancel' => $client->jobs->cancel($case['id']),
        'delete' => $client->jobs->delete($case['id']),
        'list' => $client->jobs->list(...$query),
        'list_all' => new Page(iterator_to_array($client->jobs->iterate(...$query), false), null),
        'estimate' => $client->estimate(
            $case['body']['width'],
            $case['body']['height'],
            options(array_diff_key($case['body'], ['width' => 0, 'height' => 0])),
        ),
        'account' => $client->account(),
        'engines' => ['names' => array_column($client->engines(), 'name')],
        'events' => ['types' => array_column($client->events->list(...$query)->data, 'type')],
    };
}

/** @param array<string, mixed> $case */
function step(Uprez $client, array $case, string $step, mixed $made): mixed
{
    $path = getenv('UPREZ_OUT') . '/' . $case['name'];
    return match ($step) {
        'get' => $made->refresh(),
        'wait' => $made->waitFor(60),
        'download' => saved($path, $made->download($path)),
        'zip' => saved($path, $made->downloadZip($path)),
        'cancel' => $made->cancel(),
        'delete' => $client->jobs->delete($made->id),
        'delete_and_get' => $made->delete() ? $made->refresh() : null,
        'result' => saved($path, file_put_contents($path, $made->result())),
        'stream' => saved($path, file_put_contents($path, $made->stream())),
        'download_to' => saved($path, $made->download(fopen($path, 'w+b'))),
        'zip_to' => saved($path, $made->downloadZip(fopen($path, 'w+b'))),
    };
}

/** @return array<string, mixed> */
function saved(string $path, int|false $size): array
{
    return ['bytes' => $size, 'sha256' => hash_file('sha256', $path)];
}

/**
 * Returns the endpoint, and the result of the step.
 *
 * @param array<string, mixed>          $case
 * @param array{WebhookEndpoint, mixed} $made
 *
 * @return array{WebhookEndpoint, mixed}
 */
function webhookStep(Uprez $client, array $case, string $step, array $made): array
{
    [$webhook, $delivery] = $made;
    $hooks = $client->webhooks;
    return [$webhook, match ($step) {
        'webhook_get' => $hooks->get($webhook->id),
        'webhook_update' => $hooks->update($webhook->id, ...named($case['change'])),
        'webhook_rotate' => $hooks->rotate($webhook->id, $case['overlap_hours']),
        'webhook_test' => $hooks->test($webhook->id),
        'webhook_resend' => ['events' => $hooks->resend($webhook->id, new DateTimeImmutable($case['since']))],
        'webhook_delete' => $hooks->delete($webhook->id),
        'deliveries' => $hooks->deliveries($webhook->id),
        'delivery' => $hooks->delivery($webhook->id, $delivery->id),
        'resend_delivery' => $hooks->resendDelivery($webhook->id, $delivery->id),
    }];
}

function show(mixed $value): mixed
{
    return match (true) {
        $value instanceof Job => [
            'status' => $value->status,
            'success' => $value->raw['success'],
            'filename' => $value->filename,
            'format' => $value->format,
            'quality' => $value->quality,
            'scale_factor' => $value->scaleFactor,
            'engine' => $value->engine,
            'sandbox' => $value->sandbox,
            'original' => [$value->originalSize->width, $value->originalSize->height],
            'size' => $value->processedSize ? [$value->processedSize->width, $value->processedSize->height] : null,
            'charged' => $value->creditsCharged,
            'credits' => $value->credits,
            'cached' => $value->cached,
            'error_code' => $value->error?->code,
        ],
        $value instanceof Batch => [
            'status' => $value->status,
            'sandbox' => $value->sandbox,
            'charged' => $value->creditsCharged,
            'items' => array_map(static fn ($item) => array_filter(
                [
                    'name' => $item->name,
                    'status' => $item->status,
                    'error_code' => $item->error?->code,
                    'delivery' => array_intersect_key($item->delivery ?? [], ['status' => 0, 'host' => 0]),
                ],
            ), $value->items),
        ],
        $value instanceof Deletion => ['deleted' => true],
        $value instanceof WebhookEndpoint => [
            'kind' => $value->kind,
            'url' => $value->url,
            'description' => $value->description,
            'events' => $value->events,
            'sandbox' => $value->sandbox,
            'is_active' => $value->isActive,
            'disabled_reason' => $value->disabledReason,
            'has_secret' => $value->secret !== null,
            'is_rotated' => $value->formerSecretUntil !== null,
        ],
        $value instanceof Delivery => [
            'event_type' => $value->eventType,
            'url' => $value->url,
            'status' => $value->status,
            'body_type' => $value->body === null ? null : json_decode($value->body)->type,
        ],
        $value instanceof Page && ($value->data[0] ?? null) instanceof Delivery => [
            'count' => count($value->data),
            'event_types' => array_column($value->data, 'eventType'),
            'has_more' => $value->nextCursor !== null,
        ],
        $value instanceof Page => [
            'count' => count($value->data),
            'filenames' => array_column($value->data, 'filename'),
            'has_more' => $value->nextCursor !== null,
        ],
        $value instanceof DryRun => [
            'dry_run' => true,
            'width' => $value->width,
            'height' => $value->height,
            'units' => $value->units,
            'format' => $value->format,
            'engine' => $value->engine,
        ],
        $value instanceof Estimate => [
            'width' => $value->width,
            'height' => $value->height,
            'units' => $value->units,
            'meter' => $value->meter,
            'limit_code' => $value->limit?->code,
        ],
        $value instanceof Account => ['plan' => $value->plan, 'kind' => $value->key['kind']],
        default => $value,
    };
}

/** @return array<string, mixed> */
function showError(UprezException $exception): array
{
    return ['code' => $exception->errorCode] + match (true) {
        $exception instanceof JobFailedException => ['job_status' => $exception->job->status],
        $exception instanceof ApiException => [
            'status' => $exception->status,
            'param' => $exception->param,
            'max_scale' => $exception->maxScale,
            'retry_after' => $exception->retryAfter,
            'hint' => $exception->hint !== null,
            'request_id' => $exception->requestId !== null,
        ],
        default => [],
    };
}

/**
 * @param array<string, mixed> $case
 *
 * @return array<string, mixed>
 */
function run(array $case): array
{
    $keys = [
        'live' => getenv('UPREZ_KEY_LIVE'),
        'test' => getenv('UPREZ_KEY_TEST'),
        'pro' => getenv('UPREZ_KEY_PRO'),
        'wrong' => 'upz_live_wrong',
    ];
    $url = getenv('UPREZ_URL') . '/' . $case['name'] . ($case['base_path'] ?? '');
    $retries = isset($case['retries']) ? ['maxRetries' => $case['retries']] : [];
    $client = new Uprez($keys[$case['key'] ?? 'live'], $url, ...$retries);
    try {
        $value = start($client, $case);
        $made = [$value, null];
        foreach ($case['then'] ?? [] as $step) {
            if ($case['do'] === 'webhook') {
                $value = ($made = webhookStep($client, $case, $step, $made))[1];
            } else {
                $value = step($client, $case, $step, $value);
            }
        }
        return ['ok' => true, 'got' => show($value)];
    } catch (UprezException $exception) {
        return ['ok' => false, 'got' => showError($exception)];
    } catch (Throwable $crash) {
        return ['ok' => false, 'got' => ['crash' => $crash::class . ': ' . $crash->getMessage()]];
    }
}

// Treat PHP warnings as errors.
set_error_handler(static fn (int $_, string $message) => throw new ErrorException($message));
$cases = json_decode((string) file_get_contents((string) getenv('UPREZ_CASES')), true, flags: JSON_THROW_ON_ERROR);
foreach ($cases['cases'] as $case) {
    $line = ['name' => $case['name']] + run($case);
    if (is_array($line['got'])) {
        $line['got'] = (object) array_filter($line['got'], static fn (mixed $value) => $value !== null);
    }
    echo json_encode($line, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR), "\n";
}
