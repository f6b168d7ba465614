from uprez import Uprez

uprez = Uprez("YOUR_API_KEY", base_url="https://uprez.example")

job = uprez.process("photo.jpg", scale=4).wait_for()
job.download("upscaled.jpg")

print(job.processed_size, job.notes)
