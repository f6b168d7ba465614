#!/bin/sh
# Upscales the images in a folder: UPREZ_API_KEY=... UPREZ_URL=... sh upscale-folder.sh PHOTOS UPSCALED
# Results that exist are skipped, so run it again to continue. Needs curl 7.84 or newer.
set -eu
: "${UPREZ_API_KEY:?Set UPREZ_API_KEY to your API key.}" "${UPREZ_URL:?Set UPREZ_URL to the URL of the service.}"
[ $# -eq 2 ] || { echo "Usage: sh upscale-folder.sh SOURCE TARGET" >&2; exit 2; }
source=$1 target=$2
mkdir -p "$target"
part=$target/.part-$$
trap 'rm -f "$part"' EXIT
trap 'exit 130' INT TERM

# Sends a request, saves the response in $part, and prints its status code and the ID of the job. curl gets the key
# through a pipe, because other users can see the arguments of a program.
request() {
  printf 'header = "Authorization: Bearer %s"\n' "$UPREZ_API_KEY" |
    curl --config - --silent --show-error --globoff --retry 3 --max-time 300 --output "$part" \
      --header 'Accept: image/*' --write-out '%{http_code} %header{x-job-id}' "$@"
}

# Upscales the image $1. The same Idempotency-Key in all retries keeps curl from creating a second job.
upscale() {
  answer=$(request "$UPREZ_URL/v1/process?scale=2&format=webp" --request POST --upload-file "$1" \
    --header 'Content-Type: application/octet-stream' --header 'Prefer: wait=60' \
    --header "Idempotency-Key: folder-$(date +%s)-$$-$count") || answer=000
  status=${answer%% *} job=${answer#* }
  # 202: not ready after the wait. 409 then: still not ready.
  while [ "$status" = 202 ] || { [ "$status" = 409 ] && grep -q job_not_finished "$part"; }; do
    sleep 2
    answer=$(request "$UPREZ_URL/v1/jobs/$job/result") || answer=000
    status=${answer%% *}
  done
}

count=0 failed=0
for file in "$source"/*; do
  case $file in *.[jJ][pP][gG] | *.[jJ][pP][eE][gG] | *.[pP][nN][gG] | *.[wW][eE][bB][pP]) ;; *) continue ;; esac
  [ -f "$file" ] || continue
  # "a.jpg" and "a.png" have different results.
  result=$target/${file##*/}.webp
  if [ -e "$result" ]; then echo "exists: $result"; continue; fi
  count=$((count + 1))
  upscale "$file"
  case $status in
    200) mv "$part" "$result" && echo "saved: $result" ;;
    # The key is invalid, has no credits left, or isn't allowed to do this: the other images would fail, too.
    401 | 402 | 403) echo "stopped at $file: $(cat "$part")" >&2; exit 1 ;;
    000) echo "failed: $file: no response" >&2; failed=$((failed + 1)) ;;
    *) echo "failed: $file: $(cat "$part")" >&2; failed=$((failed + 1)) ;;
  esac
done
[ "$failed" -eq 0 ]
