<?php

$curl = curl_init('https://uprez.example/v1/process?dry_run=true&scale=8');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => ['Authorization: Bearer YOUR_API_KEY', 'Content-Type: image/jpeg'],
    CURLOPT_POSTFIELDS => file_get_contents('photo.jpg'),
]);
$plan = json_decode(curl_exec($curl), true);
if (isset($plan['detail'])) {
    throw new Exception($plan['detail']);
}
$seconds = round($plan['seconds'], 1);
echo "{$plan['width']} x {$plan['height']}, {$plan['units']} credit, about $seconds s\n";
