<?php

function call(string $url, ?array $form = null): array
{
    $curl = curl_init($url);
    curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
    curl_setopt($curl, CURLOPT_HTTPHEADER, ['Authorization: Bearer YOUR_API_KEY']);
    if ($form !== null) {
        curl_setopt($curl, CURLOPT_POSTFIELDS, $form);
    }
    $body = curl_exec($curl);
    if ($body === false) {
        throw new Exception(curl_error($curl));
    }
    return json_decode($body, true);
}

$job = call('https://uprez.example/v1/process', [
    'image' => new CURLFile('photo.jpg'),
    'scale' => '4',
]);

// Small images are ready immediately. Poll until larger ones are done.
while (in_array($job['status'] ?? '', ['queued', 'processing'], true)) {
    sleep(1);
    $job = call($job['status_url']);
}
if (!isset($job['download_url'])) {
    throw new Exception($job['detail'] ?? $job['error']['message']);
}

copy($job['download_url'], 'upscaled.jpg');
echo json_encode($job['processed_size']), "\n";
