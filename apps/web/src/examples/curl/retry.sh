#!/bin/sh
set -e
field() { echo "$job" | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

# Whatever happens on the way, one key makes and charges one image.
# After a crash, give the key that was printed: sh retry.sh KEY
key=${1:-$(uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid)}
echo "key: $key" >&2

# curl repeats after 429, 5xx and lost connections, and obeys Retry-After.
again="--silent --show-error --retry 5 --retry-all-errors"
job=$(curl $again "https://uprez.example/v1/process?scale=2" \
  --header "Authorization: Bearer YOUR_API_KEY" \
  --header "Idempotency-Key: $key" \
  --header "Content-Type: image/jpeg" \
  --data-binary @photo.jpg)

while [ "$(field status)" = queued ] || [ "$(field status)" = processing ]; do
  sleep 1
  job=$(curl $again "$(field status_url)" --header "Authorization: Bearer YOUR_API_KEY")
done

url=$(field download_url)
[ -n "$url" ] || { echo "$job" >&2; exit 1; }
curl $again --fail "$url" --output enlarged.jpg
