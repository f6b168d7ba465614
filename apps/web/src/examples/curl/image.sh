curl --fail-with-body --remove-on-error -D - -H "Authorization: Bearer YOUR_API_KEY" -H "Accept: image/*" -F image=@photo.jpg -F scale=4 https://uprez.example/v1/process -o large.jpg
