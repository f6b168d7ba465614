import json
import time
import urllib.error
import urllib.request
import uuid

# Whatever happens on the way, one key makes and charges one picture.
headers = {
    "Authorization": "Bearer YOUR_API_KEY",
    "Content-Type": "image/jpeg",
    "Idempotency-Key": str(uuid.uuid4()),
}
with open("photo.jpg", "rb") as file:
    picture = file.read()


def send(attempt=1):
    request = urllib.request.Request("https://uprez.example/v1/process?scale=2", picture, headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        if attempt == 5 or (error.code != 429 and error.code < 500):
            problem = json.load(error)
            raise SystemExit(f'{problem["code"]}: {problem["detail"]} {problem.get("hint", "")}')
        pause = float(error.headers.get("Retry-After") or 2**attempt)
    except urllib.error.URLError:
        if attempt == 5:
            raise
        pause = 2**attempt
    time.sleep(pause)
    return send(attempt + 1)


job = send()
urllib.request.urlretrieve(job["download_url"], "enlarged.jpg")
