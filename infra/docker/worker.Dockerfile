# syntax=docker/dockerfile:1
# Node.js 24 is supported until April 2028; the AWS SDK needs 22 or later from 2027. Slim is Debian: the native packages
# (sharp, onnxruntime, argon2) ship glibc builds, and Debian contains `unshare` and `setpriv`, which the jail needs.
FROM node:24-slim AS build
WORKDIR /app
ENV CI=true TURBO_TELEMETRY_DISABLED=1
# Downloads depend only on the lockfile, so this layer is reused when the code changes.
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
RUN npx --yes pnpm@12.21.0 fetch
COPY . .
RUN npx --yes pnpm@12.21.0 install --offline --frozen-lockfile
RUN npx turbo run build --filter=@uprez/worker
# Downloads the models by name, version, and checksum, and converts them: workers start without a network connection.
RUN MODELS_DIR=models node packages/models/dist/cli.js photo-fast photo art art-fast && rm -r models/weights
RUN npx --yes pnpm@12.21.0 --filter @uprez/worker deploy --prod out
# onnxruntime-node contains the libraries of every platform: 220 MB for other systems.
RUN rm -rf out/node_modules/.pnpm/onnxruntime-node@*/node_modules/onnxruntime-node/bin/*/win32 \
  out/node_modules/.pnpm/onnxruntime-node@*/node_modules/onnxruntime-node/bin/*/darwin

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production METRICS_HOST=0.0.0.0 METRICS_PORT=9464 MODELS_DIR=/app/models
COPY --from=build /app/out services/worker
COPY --from=build /app/models models
USER node
EXPOSE 9464
CMD ["node", "services/worker/dist/main.js"]
