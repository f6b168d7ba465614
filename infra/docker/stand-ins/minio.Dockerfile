# Stands in for MinIO where no registry can be reached: s3rver with a check of signatures, as in the tests of storage.
FROM node:24-bookworm-slim
WORKDIR /s3
ARG S3RVER
RUN npm install --no-package-lock --no-fund --no-audit s3rver@$S3RVER
COPY s3 ./
COPY mc /usr/local/bin/
# Called as `minio server FOLDER`.
ENTRYPOINT ["sh", "-c", "exec node /s3/serve-s3.ts \"$1\" \"$MINIO_ROOT_USER\" \"$MINIO_ROOT_PASSWORD\""]
