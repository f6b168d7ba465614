<?php

// Whatever happens on the way, one key makes and charges one picture.
$idempotencyKey = bin2hex(random_bytes(16));

for ($attempt = 1; ; $attempt++) {
    $pause = 2 ** $attempt;
    $curl = curl_init('https://uprez.example/v1/process?scale=2');
    curl_setopt_array($curl, [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_HTTPHEADER => [
            'Authorization: Bearer YOUR_API_KEY',
            'Content-Type: image/jpeg',
            "Idempotency-Key: $idempotencyKey",
        ],
        CURLOPT_POSTFIELDS => file_get_contents('photo.jpg'),
        CURLOPT_HEADERFUNCTION => function ($curl, $line) use (&$pause) {
            if (stripos($line, 'Retry-After:') === 0) {
                $pause = (int) substr($line, 12);
            }
            return strlen($line);
        },
    ]);
    $body = curl_exec($curl);
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    $passes = $body === false || $status === 429 || $status >= 500;
    if (!$passes || $attempt === 5) {
        break;
    }
    sleep($pause);
}

$job = json_decode((string) $body, true);
if ($status >= 400 || !isset($job['download_url'])) {
    throw new Exception(($job['code'] ?? 'unreachable') . ': ' . ($job['detail'] ?? '') . ' ' . ($job['hint'] ?? ''));
}
copy($job['download_url'], 'enlarged.jpg');
