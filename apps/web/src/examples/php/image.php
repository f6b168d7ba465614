<?php

$curl = curl_init('https://uprez.example/v1/process');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => ['Authorization: Bearer YOUR_API_KEY', 'Accept: image/*'],
    CURLOPT_POSTFIELDS => ['image' => new CURLFile('photo.jpg'), 'scale' => '4'],
]);
$body = curl_exec($curl);
$status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
if ($status === 202) {
    throw new Exception('Not ready yet. Get it later from /result under the URL in "Location".');
}
if ($status !== 200) {
    throw new Exception($body ?: curl_error($curl));
}
file_put_contents('large.jpg', $body);
