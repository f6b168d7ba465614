<?php

// Receives webhooks: UPREZ_WEBHOOK_SECRET=whsec_... php -S localhost:8080 receiver.php
// Each event is stored in the folder "events" before the response. Another program can process the files.

declare(strict_types=1);

require __DIR__ . '/vendor/autoload.php';

use Uprez\Exception\WebhookVerificationException;
use Uprez\Webhook;

const MAX_BYTES = 256 * 1024;

/** Returns the status code of the response. After any other than 2xx, the event is sent again later. */
function receive(): int
{
    // During a rotation, set the new and the old secret, separated by a space.
    $secrets = array_values(array_filter(explode(' ', getenv('UPREZ_WEBHOOK_SECRET') ?: '')));
    if ($secrets === []) {
        error_log('Set UPREZ_WEBHOOK_SECRET to the secret of the endpoint.');
        return 500;
    }
    if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
        return 405;
    }
    if ((int) ($_SERVER['CONTENT_LENGTH'] ?? PHP_INT_MAX) > MAX_BYTES) {
        return 413;
    }
    // The signature covers the unmodified bytes.
    $body = file_get_contents('php://input');
    try {
        $event = Webhook::verify($body, $_SERVER, $secrets);
    } catch (WebhookVerificationException) {
        return 400;
    }
    $folder = getenv('EVENTS_DIR') ?: 'events';
    if (!is_dir($folder)) {
        mkdir($folder, recursive: true);
    }
    // An event can arrive more than once. Its ID names the file, so it is stored once.
    return file_put_contents("$folder/{$event['id']}.json", $body) === strlen($body) ? 204 : 500;
}

http_response_code(receive());
