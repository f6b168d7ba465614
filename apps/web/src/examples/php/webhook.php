<?php

// Verifies a webhook. The arguments are the headers webhook-id, webhook-timestamp, and
// webhook-signature: php webhook.php ID TIMESTAMP SIGNATURE < body.json
const SECRET = 'whsec_YOUR_SECRET';

/** $body: the unmodified request body. */
function isValid(string $id, string $timestamp, string $signature, string $body): bool
{
    if (abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $key = base64_decode(substr(SECRET, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // During a secret rotation, the header contains two signatures.
    foreach (explode(' ', $signature) as $one) {
        if (hash_equals($expected, $one)) {
            return true;
        }
    }
    return false;
}

[, $id, $timestamp, $signature] = $argv;
if (!isValid($id, $timestamp, $signature, file_get_contents('php://stdin'))) {
    throw new Exception('invalid signature, or too old');
}
echo "valid\n";
