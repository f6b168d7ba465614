# %% [markdown]
# # Compare engines
# Upscales one image with every available engine, and compares the fidelity to the image and the processing time.
# Each cell runs in VS Code, PyCharm, or Jupyter (with Jupytext). Or run all: `python3 compare_engines.py`.
# Set `UPREZ_API_KEY` and `UPREZ_URL`. Each engine costs one credit.

# %%
import csv
import os
from pathlib import Path

from uprez import JobFailedError, PermissionDeniedError, Uprez, WaitTimeoutError

image = Path(os.environ.get("IMAGE", "photo.jpg"))
folder = Path(os.environ.get("RESULTS", "engines"))
folder.mkdir(parents=True, exist_ok=True)
uprez = Uprez()

# %% [markdown]
# The processing time is that of the job without the upload. One job at a time, because concurrent jobs slow each other.

# %%
rows = []
for engine in uprez.engines():
    if engine.available is False:
        print(f"{engine.name}: isn't available")
        continue
    try:
        job = uprez.process(image, engine=engine.name, scale=2, format="png").wait_for()
    except (JobFailedError, PermissionDeniedError, WaitTimeoutError) as error:
        print(f"{engine.name}: {error}")
        continue
    result = folder / f"{image.stem}-{engine.name}.png"
    size = job.download(result)
    facts = {"engine": job.engine, "fidelity": job.fidelity, "seconds": job.processing_time}
    rows.append({**facts, "bytes": size, "file": result.name})

# %% [markdown]
# The fidelity of the receipt says how well the result agrees with the image at the same size: 100 is identical. A model
# that removes noise or adds detail scores lower, so look at the results, too.

# %%
if not rows:
    raise SystemExit("No engine is available.")
rows.sort(key=lambda row: (-(row["fidelity"] or 0), row["seconds"]))
columns = list(rows[0])
with open(folder / "engines.csv", "w", newline="", encoding="utf-8") as file:
    writer = csv.DictWriter(file, columns)
    writer.writeheader()
    writer.writerows(rows)

lines = [columns, ["---"] * len(columns), *([str(row[column]) for column in columns] for row in rows)]
table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
(folder / "engines.md").write_text(f"{table}\n", encoding="utf-8")
print(table)
