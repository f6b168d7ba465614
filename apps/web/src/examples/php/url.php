<?php

$curl = curl_init('https://uprez.example/v1/process');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => ['Authorization: Bearer YOUR_API_KEY', 'Content-Type: application/json'],
    CURLOPT_POSTFIELDS => json_encode([
        'image_url' => 'https://pictures.example/photo.jpg',
        'width' => 640,
        'height' => 480,
        'fit' => 'cover',
        'format' => 'webp',
    ]),
]);
$job = json_decode(curl_exec($curl), true);
if (!isset($job['download_url'])) {
    throw new Exception($job['detail'] ?? $job['status']);
}

copy($job['download_url'], 'card.webp');
