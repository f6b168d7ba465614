import json
import urllib.error
import urllib.request

with open("photo.jpg", "rb") as file:
    request = urllib.request.Request(
        "https://uprez.example/v1/process?dry_run=true&scale=8",
        file.read(),
        {"Authorization": "Bearer YOUR_API_KEY", "Content-Type": "image/jpeg"},
    )
try:
    with urllib.request.urlopen(request) as response:
        plan = json.load(response)
except urllib.error.HTTPError as error:
    raise SystemExit(json.load(error)["detail"])
print(f'{plan["width"]} x {plan["height"]}, {plan["units"]} credit, about {plan["seconds"]:.1f} s')
