<?php

// Is it from us? The arguments are the headers webhook-id, webhook-timestamp and
// webhook-signature: php webhook.php ID TIMESTAMP SIGNATURE < body.json
const SECRET = 'whsec_YOUR_SECRET';

/** $body: exactly as it came. */
function isGenuine(string $id, string $timestamp, string $signature, string $body): bool
{
    if (abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $key = base64_decode(substr(SECRET, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // While a secret is being replaced there are two signatures.
    foreach (explode(' ', $signature) as $one) {
        if (hash_equals($expected, $one)) {
            return true;
        }
    }
    return false;
}

[, $id, $timestamp, $signature] = $argv;
if (!isGenuine($id, $timestamp, $signature, file_get_contents('php://stdin'))) {
    throw new Exception('forged, or too old');
}
echo "genuine\n";
