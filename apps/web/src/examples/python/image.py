import urllib.error
import urllib.request

headers = {"Authorization": "Bearer YOUR_API_KEY", "Accept": "image/*", "Content-Type": "image/jpeg"}
with open("photo.jpg", "rb") as file:
    request = urllib.request.Request("https://uprez.example/v1/process?scale=4", file.read(), headers)

try:
    response = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    raise SystemExit(error.read().decode())
if response.status == 202:
    raise SystemExit(f"Not ready yet. Get it later from {response.headers['Location']}/result.")
with open("large.jpg", "wb") as file:
    file.write(response.read())
