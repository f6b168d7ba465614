<?php

require 'vendor/autoload.php';

use Uprez\Options;
use Uprez\Uprez;

$uprez = new Uprez('YOUR_API_KEY', 'https://uprez.example');

$job = $uprez->process('photo.jpg', new Options(scale: 4))->waitFor();
$job->download('upscaled.jpg');

echo implode("\n", ["{$job->processedSize->width} x {$job->processedSize->height}", ...$job->notes]), "\n";
