import json
import time
import urllib.error
import urllib.request

API = "https://uprez.example/v1"


def call(method, url, body=None):
    headers = {"Authorization": "Bearer YOUR_API_KEY", "Content-Type": "application/octet-stream"}
    if isinstance(body, dict):
        body, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
    request = urllib.request.Request(url, body, headers, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            return response.read()
    except urllib.error.HTTPError as error:
        raise SystemExit(json.load(error)["detail"])


names = ["photo.jpg", "second.jpg"]
items = [{"client_id": name, "name": name} for name in names]
batch = json.loads(call("POST", f"{API}/batches", {"recipe": {"scale": 2}, "items": items}))
for item in batch["items"]:
    with open(item["name"], "rb") as file:
        call("PUT", item["upload_url"], file.read())

while batch["status"] == "active":
    time.sleep(1)
    batch = json.loads(call("GET", batch["status_url"]))

with open("images.zip", "wb") as file:
    file.write(call("GET", batch["zip_url"]))
