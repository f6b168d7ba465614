<?php

const KEY = 'Authorization: Bearer YOUR_API_KEY';

// Requests with the same key create and charge one job only.
// After a crash, pass the printed key: php retry.php KEY
$idempotencyKey = $argv[1] ?? bin2hex(random_bytes(16));
fwrite(STDERR, "key: $idempotencyKey\n");

/** $more: additional curl options. */
function send(string $url, array $more = [], int $attempt = 1): array
{
    $pause = 2 ** $attempt;
    $curl = curl_init($url);
    curl_setopt_array($curl, $more + [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_HTTPHEADER => [KEY],
        CURLOPT_HEADERFUNCTION => function ($curl, $line) use (&$pause) {
            if (stripos($line, 'Retry-After:') === 0) {
                $pause = (int) substr($line, 12);
            }
            return strlen($line);
        },
    ]);
    $body = curl_exec($curl);
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    $canRetry = $body === false || $status === 429 || $status >= 500;
    // A longer pause is that of a daily limit.
    if ($canRetry && $attempt < 5 && $pause <= 60) {
        sleep($pause);
        return send($url, $more, $attempt + 1);
    }
    $response = json_decode((string) $body, true);
    if ($body === false || $status >= 400) {
        $code = $response['code'] ?? 'unreachable';
        throw new Exception("$code: " . ($response['detail'] ?? '') . ' ' . ($response['hint'] ?? ''));
    }
    return $response;
}

$job = send('https://uprez.example/v1/process?scale=2', [
    CURLOPT_HTTPHEADER => [KEY, 'Content-Type: image/jpeg', "Idempotency-Key: $idempotencyKey"],
    CURLOPT_POSTFIELDS => file_get_contents('photo.jpg'),
]);
while (in_array($job['status'], ['queued', 'processing'], true)) {
    sleep(1);
    $job = send($job['status_url']);
}
if (!isset($job['download_url'])) {
    throw new Exception($job['error']['message'] ?? $job['status']);
}
copy($job['download_url'], 'upscaled.jpg');
