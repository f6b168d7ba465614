#!/bin/sh
set -e
field() { echo "$job" | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

# Requests with the same key create and charge one job only.
# After a crash, pass the printed key: sh retry.sh KEY
key=${1:-$(uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid)}
echo "key: $key" >&2

# curl retries after 429, 5xx, and connection errors, and respects Retry-After.
retry_options="--silent --show-error --retry 5 --retry-all-errors"
job=$(curl $retry_options "https://uprez.example/v1/process?scale=2" \
  --header "Authorization: Bearer YOUR_API_KEY" \
  --header "Idempotency-Key: $key" \
  --header "Content-Type: image/jpeg" \
  --data-binary @photo.jpg)

while [ "$(field status)" = queued ] || [ "$(field status)" = processing ]; do
  sleep 1
  job=$(curl $retry_options "$(field status_url)" --header "Authorization: Bearer YOUR_API_KEY")
done

url=$(field download_url)
[ -n "$url" ] || { echo "$job" >&2; exit 1; }
curl $retry_options --fail "$url" --output upscaled.jpg
