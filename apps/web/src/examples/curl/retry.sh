#!/bin/sh
set -e
# Whatever happens on the way, one key makes and charges one picture. curl
# repeats after 429, 5xx and lost connections, and obeys Retry-After.
key=$(uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid)
job=$(curl --silent --show-error --fail-with-body --retry 5 --retry-all-errors \
  "https://uprez.example/v1/process?scale=2" \
  --header "Authorization: Bearer YOUR_API_KEY" \
  --header "Idempotency-Key: $key" \
  --header "Content-Type: image/jpeg" \
  --data-binary @photo.jpg) || { echo "$job" >&2; exit 1; }

url=$(echo "$job" | sed -n 's/.*"download_url":"\([^"]*\)".*/\1/p')
curl --silent --show-error --fail --retry 5 "$url" --output enlarged.jpg
