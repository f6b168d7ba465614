import json
import time
import urllib.error
import urllib.request

headers = {"Authorization": "Bearer YOUR_API_KEY"}


def call(url, body=None, **more):
    request = urllib.request.Request(url, body, {**headers, **more})
    try:
        with urllib.request.urlopen(request) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise SystemExit(json.load(error)["detail"])


with open("photo.jpg", "rb") as file:
    image = file.read()
job = call("https://uprez.example/v1/process?scale=4", image, **{"Content-Type": "image/jpeg"})

# Small images are ready immediately. Poll until larger ones are done.
while job["status"] in ("queued", "processing"):
    time.sleep(1)
    job = call(job["status_url"])
if not job["download_url"]:
    raise SystemExit(job["error"]["message"])

urllib.request.urlretrieve(job["download_url"], "upscaled.jpg")
print(job["processed_size"])
