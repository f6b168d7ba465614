<?php

$curl = curl_init('https://uprez.example/v1/process');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => ['Authorization: Bearer YOUR_API_KEY', 'Accept: image/*'],
    CURLOPT_POSTFIELDS => ['image' => new CURLFile('photo.jpg'), 'scale' => '4'],
]);
$body = curl_exec($curl);
if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) !== 200) {
    throw new Exception($body ?: curl_error($curl));
}
file_put_contents('large.jpg', $body);
