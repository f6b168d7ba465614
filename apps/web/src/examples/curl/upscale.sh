#!/bin/sh
set -e
field() { echo "$job" | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

job=$(curl --silent --show-error https://uprez.example/v1/process \
  --header "Authorization: Bearer YOUR_API_KEY" \
  --form image=@photo.jpg \
  --form scale=4)

# Small images are ready immediately. Poll until larger ones are done.
while [ "$(field status)" = queued ] || [ "$(field status)" = processing ]; do
  sleep 1
  job=$(curl --silent --show-error "$(field status_url)" \
    --header "Authorization: Bearer YOUR_API_KEY")
done

echo "$job"
curl --silent --show-error --fail "$(field download_url)" --output upscaled.jpg
