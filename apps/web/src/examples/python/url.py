import json
import urllib.request

wish = {
    "image_url": "https://pictures.example/photo.jpg",
    "width": 640,
    "height": 480,
    "fit": "cover",
    "format": "webp",
}
request = urllib.request.Request(
    "https://uprez.example/v1/process",
    json.dumps(wish).encode(),
    {"Authorization": "Bearer YOUR_API_KEY", "Content-Type": "application/json"},
)
with urllib.request.urlopen(request) as answer:
    job = json.load(answer)

urllib.request.urlretrieve(job["download_url"], "card.webp")
