<?php

const KEY = 'Authorization: Bearer YOUR_API_KEY';

function call(string $url, ?array $options = null): array
{
    $curl = curl_init($url);
    curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
    curl_setopt($curl, CURLOPT_HTTPHEADER, [KEY]);
    if ($options !== null) {
        curl_setopt($curl, CURLOPT_HTTPHEADER, [KEY, 'Content-Type: application/json']);
        curl_setopt($curl, CURLOPT_POSTFIELDS, json_encode($options));
    }
    $body = curl_exec($curl);
    if ($body === false) {
        throw new Exception(curl_error($curl));
    }
    return json_decode($body, true);
}

$job = call('https://uprez.example/v1/process', [
    'image_url' => 'https://images.example/photo.jpg',
    'width' => 640,
    'height' => 480,
    'fit' => 'cover',
    'format' => 'webp',
]);
while (in_array($job['status'] ?? '', ['queued', 'processing'], true)) {
    sleep(1);
    $job = call($job['status_url']);
}
if (!isset($job['download_url'])) {
    throw new Exception($job['detail'] ?? $job['error']['message']);
}

copy($job['download_url'], 'card.webp');
