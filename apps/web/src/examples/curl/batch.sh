#!/bin/sh
set -e
first() { echo "$batch" | grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }

batch=$(curl --silent --show-error https://uprez.example/v1/batches \
  --header "Authorization: Bearer YOUR_API_KEY" \
  --form images=@photo.jpg \
  --form images=@second.jpg \
  --form scale=2)

while [ "$(first status)" = active ]; do
  sleep 1
  batch=$(curl --silent --show-error "$(first status_url)" \
    --header "Authorization: Bearer YOUR_API_KEY")
done

echo "$batch"
curl --silent --show-error --fail "$(first zip_url)" \
  --header "Authorization: Bearer YOUR_API_KEY" --output images.zip
