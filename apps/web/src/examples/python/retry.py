import json
import sys
import time
import urllib.error
import urllib.request
import uuid

# Requests with the same key create and charge one job only.
# After a crash, pass the printed key: python3 retry.py KEY
key = sys.argv[1] if len(sys.argv) > 1 else str(uuid.uuid4())
print(f"key: {key}", file=sys.stderr)
headers = {"Authorization": "Bearer YOUR_API_KEY"}


def send(request, attempt=1):
    try:
        with urllib.request.urlopen(request) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        pause = float(error.headers.get("Retry-After") or 2**attempt)
        # A longer pause is that of a daily limit.
        if attempt == 5 or pause > 60 or (error.code != 429 and error.code < 500):
            problem = json.load(error)
            raise SystemExit(f'{problem["code"]}: {problem["detail"]} {problem.get("hint", "")}')
    except OSError:
        if attempt == 5:
            raise
        pause = 2**attempt
    time.sleep(pause)
    return send(request, attempt + 1)


with open("photo.jpg", "rb") as file:
    upload = urllib.request.Request(
        "https://uprez.example/v1/process?scale=2",
        file.read(),
        {**headers, "Content-Type": "image/jpeg", "Idempotency-Key": key},
    )
job = send(upload)
while job["status"] in ("queued", "processing"):
    time.sleep(1)
    job = send(urllib.request.Request(job["status_url"], None, headers))
if not job["download_url"]:
    raise SystemExit(job["error"]["message"])

urllib.request.urlretrieve(job["download_url"], "upscaled.jpg")
