<?php

const API = 'https://uprez.example/v1';

function call(string $method, string $url, string $type = '', ?string $body = null): string
{
    $curl = curl_init($url);
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_HTTPHEADER => ['Authorization: Bearer YOUR_API_KEY', "Content-Type: $type"],
    ]);
    if ($body !== null) {
        curl_setopt($curl, CURLOPT_POSTFIELDS, $body);
    }
    $response = curl_exec($curl);
    if ($response === false || curl_getinfo($curl, CURLINFO_RESPONSE_CODE) >= 400) {
        throw new Exception(curl_error($curl) . $response);
    }
    return $response;
}

$items = [];
foreach (['photo.jpg', 'second.jpg'] as $name) {
    $items[] = ['client_id' => $name, 'name' => $name];
}
$options = json_encode(['recipe' => ['scale' => 2], 'items' => $items]);
$batch = json_decode(call('POST', API . '/batches', 'application/json', $options), true);
foreach ($batch['items'] as $item) {
    call('PUT', $item['upload_url'], 'image/jpeg', file_get_contents($item['name']));
}

while ($batch['status'] === 'active') {
    sleep(1);
    $batch = json_decode(call('GET', $batch['status_url']), true);
}

file_put_contents('images.zip', call('GET', $batch['zip_url']));
