<?php

function call(string $url, ?array $form = null): string
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
    return $body;
}

$batch = json_decode(call('https://uprez.example/v1/batches', [
    'images[0]' => new CURLFile('photo.jpg'),
    'images[1]' => new CURLFile('second.jpg'),
    'scale' => '2',
]), true);
if (isset($batch['detail'])) {
    throw new Exception($batch['detail']);
}

while ($batch['status'] === 'active') {
    sleep(1);
    $batch = json_decode(call($batch['status_url']), true);
}

file_put_contents('pictures.zip', call($batch['zip_url']));
