# syntax=docker/dockerfile:1
# Node 24: supported until April 2028, and the AWS SDK asks for 22 or later from 2027 on. Slim, that is Debian: the native
# packages (sharp, onnxruntime, argon2) ship glibc builds, and Debian brings the `unshare` and `setpriv` of the jail.
FROM node:24-slim AS build
WORKDIR /app
ENV CI=true TURBO_TELEMETRY_DISABLED=1
# The lockfile alone decides what is downloaded, so this layer outlives every change of the code.
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
RUN npx --yes pnpm@12.21.0 fetch
COPY . .
RUN npx --yes pnpm@12.21.0 install --offline --frozen-lockfile
RUN npx turbo run build --filter=@uprez/worker
# Fetched by name, version and checksum, converted here, so that a starting worker needs no network.
RUN MODELS_DIR=models node packages/models/dist/cli.js photo-fast
RUN npx --yes pnpm@12.21.0 --filter @uprez/worker deploy --prod out
# onnxruntime-node carries the libraries of every platform (220 MB of other systems').
RUN rm -rf out/node_modules/.pnpm/onnxruntime-node@*/node_modules/onnxruntime-node/bin/*/win32 \
  out/node_modules/.pnpm/onnxruntime-node@*/node_modules/onnxruntime-node/bin/*/darwin

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production METRICS_PORT=9464 MODELS_DIR=/app/models
COPY --from=build /app/out services/worker
COPY --from=build /app/models models
USER node
EXPOSE 9464
CMD ["node", "services/worker/dist/main.js"]
