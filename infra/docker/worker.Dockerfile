# syntax=docker/dockerfile:1
# Node.js 24 is supported until April 2028; the AWS SDK needs 22 or later from 2027. Debian: the native packages (sharp,
# onnxruntime, argon2) ship glibc builds, and Debian contains `unshare` and `setpriv`, which the jail needs.
# All Dockerfiles here start with the same steps, which run once when several images are built.
FROM node:24-bookworm-slim AS build
WORKDIR /app
ENV CI=true TURBO_TELEMETRY_DISABLED=1
# Removes the symbols for debuggers: 18 MB.
RUN apt-get update && apt-get install --yes --no-install-recommends binutils \
  && strip --strip-unneeded -o /usr/local/lib/node /usr/local/bin/node
# Downloads depend only on the lockfile, so this layer is reused when the code changes.
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
RUN npx --yes pnpm@12.21.0 fetch
COPY . .
RUN npx --yes pnpm@12.21.0 install --offline --frozen-lockfile
RUN npx turbo run build --filter=@uprez/gateway --filter=@uprez/worker --filter=@uprez/dispatcher --filter=@uprez/web \
  && node infra/local/sbom.mjs --out sbom
# Downloads the models by name, version, and checksum, and converts them: workers start without a network connection.
RUN MODELS_DIR=models node packages/models/dist/cli.js photo-fast photo art art-fast && rm -r models/weights
RUN npx --yes pnpm@12.21.0 --filter @uprez/worker deploy --prod out && node infra/docker/prune.mjs out

# The runtime without npm and other tools of the Node.js image.
FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="uprez-worker" org.opencontainers.image.licenses="MIT"
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node
WORKDIR /app
COPY --from=build /usr/local/lib/node /usr/local/bin/node
# The bill of materials (CycloneDX), where scanners of images find it.
COPY --from=build /app/sbom/worker.cdx.json /usr/share/sbom/
COPY --from=build /app/out services/worker
COPY --from=build /app/models models
ENV NODE_ENV=production METRICS_HOST=0.0.0.0 METRICS_PORT=9464 MODELS_DIR=/app/models PROFILES_DIR=/app/profiles
USER node
EXPOSE 9464
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9464/readyz').then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "services/worker/dist/main.js"]
