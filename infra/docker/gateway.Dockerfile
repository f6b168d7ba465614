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
RUN npx turbo run build --filter=@uprez/gateway --filter=@uprez/web
RUN npx --yes pnpm@12.21.0 --filter @uprez/gateway deploy --prod out
# onnxruntime-node carries the libraries of every platform (220 MB of other systems').
RUN rm -rf out/node_modules/.pnpm/onnxruntime-node@*/node_modules/onnxruntime-node/bin/*/win32 \
  out/node_modules/.pnpm/onnxruntime-node@*/node_modules/onnxruntime-node/bin/*/darwin

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production PORT=3000 METRICS_PORT=9464 WEB_DIR=/app/web
COPY --from=build /app/out services/gateway
COPY --from=build /app/apps/web/dist web
USER node
EXPOSE 3000 9464
# A small young generation frees the buffers of passing uploads sooner: 20 uploads at once need 30 MB less.
CMD ["node", "--max-semi-space-size=1", "services/gateway/dist/main.js"]
