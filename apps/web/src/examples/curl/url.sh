#!/bin/sh
set -e
field() { echo "$job" | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

job=$(curl --silent --show-error https://uprez.example/v1/process \
  --header "Authorization: Bearer YOUR_API_KEY" \
  --json '{
    "image_url": "https://images.example/photo.jpg",
    "width": 640,
    "height": 480,
    "fit": "cover",
    "format": "webp"
  }')

while [ "$(field status)" = queued ] || [ "$(field status)" = processing ]; do
  sleep 1
  job=$(curl --silent --show-error "$(field status_url)" \
    --header "Authorization: Bearer YOUR_API_KEY")
done

echo "$job"
curl --silent --show-error --fail "$(field download_url)" --output card.webp
