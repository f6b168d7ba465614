#!/bin/sh
set -e
curl --silent --show-error --fail-with-body "https://uprez.example/v1/process?dry_run=true&scale=8" \
  --header "Authorization: Bearer YOUR_API_KEY" \
  --header "Content-Type: image/jpeg" \
  --data-binary @photo.jpg
