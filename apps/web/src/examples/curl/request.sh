curl https://uprez.example/v1/process \
  --header "Authorization: Bearer YOUR_API_KEY" \
  --form image=@photo.jpg \
  --form scale=4
