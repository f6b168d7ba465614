# Stands in for redis:7.2-alpine where no registry can be reached: Redis 7.0 of Debian.
FROM debian:bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends redis-server && mkdir /data && chown redis: /data
USER redis
WORKDIR /data
# The official image also accepts connections of other containers without a password.
ENTRYPOINT ["sh", "-c", "exec \"$@\" --protected-mode no", "sh"]
CMD ["redis-server"]
