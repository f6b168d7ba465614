#!/bin/sh
set -e
job=$(curl --silent --show-error https://uprez.example/v1/process \
  --header "Authorization: Bearer YOUR_API_KEY" \
  --json '{
    "image_url": "https://pictures.example/photo.jpg",
    "width": 640,
    "height": 480,
    "fit": "cover",
    "format": "webp"
  }')

echo "$job"
url=$(echo "$job" | sed -n 's/.*"download_url":"\([^"]*\)".*/\1/p')
curl --silent --show-error --fail "$url" --output card.webp
