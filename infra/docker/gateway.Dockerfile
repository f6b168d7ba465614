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
RUN npx turbo run build --filter=@uprez/gateway --filter=@uprez/web
# Browsers process images with this model. Downloaded by name, version, and checksum.
RUN MODELS_DIR=models node packages/models/dist/cli.js photo-fast && rm -r models/weights
RUN npx --yes pnpm@12.21.0 --filter @uprez/gateway deploy --prod out
# onnxruntime-node contains the libraries of every platform: 220 MB for other systems.
RUN rm -rf out/node_modules/.pnpm/onnxruntime-node@*/node_modules/onnxruntime-node/bin/*/win32 \
  out/node_modules/.pnpm/onnxruntime-node@*/node_modules/onnxruntime-node/bin/*/darwin

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production PORT=3000 METRICS_HOST=0.0.0.0 METRICS_PORT=9464 WEB_DIR=/app/web MODELS_DIR=/app/models
COPY --from=build /app/out services/gateway
COPY --from=build /app/apps/web/dist web
COPY --from=build /app/models models
USER node
EXPOSE 3000 9464
# A small young generation frees the buffers of uploads sooner: 20 concurrent uploads need 30 MB less.
CMD ["node", "--max-semi-space-size=1", "services/gateway/dist/main.js"]
