import json
import time
import urllib.error
import urllib.request

headers = {"Authorization": "Bearer YOUR_API_KEY"}
options = {
    "image_url": "https://images.example/photo.jpg",
    "width": 640,
    "height": 480,
    "fit": "cover",
    "format": "webp",
}


def call(url, body=None, **more):
    request = urllib.request.Request(url, body, {**headers, **more})
    try:
        with urllib.request.urlopen(request) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise SystemExit(json.load(error)["detail"])


body = json.dumps(options).encode()
job = call("https://uprez.example/v1/process", body, **{"Content-Type": "application/json"})
while job["status"] in ("queued", "processing"):
    time.sleep(1)
    job = call(job["status_url"])
if not job["download_url"]:
    raise SystemExit(job["error"]["message"])

urllib.request.urlretrieve(job["download_url"], "card.webp")
