# Stands in for postgres:18-alpine where no registry can be reached. `native` is the server of @embedded-postgres.
FROM debian:bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends postgresql-client-15 && useradd --uid 70 postgres
COPY native /opt/postgres
COPY start-postgres.sh /usr/local/bin/
ENTRYPOINT ["sh", "/usr/local/bin/start-postgres.sh"]
CMD ["postgres"]
