# The base image contains Node, so the optional packages with Node binaries are omitted.
FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY bin bin
COPY gen gen
COPY src src
# The guide at /docs/guide is built from these.
COPY docs docs
COPY deploy deploy
COPY examples examples
COPY clients clients
COPY README.md CHANGELOG.md LICENSE ./
RUN mkdir --mode=0700 /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
# /healthz instead of /readyz, because a restart does not help if the database becomes unreachable. The port opens only
# when the database is ready.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "--disable-warning=Warning", "-e", "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; fetch(`http${process.env.TLS_CERT_FILE ? 's' : ''}://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/signet.js", "serve"]
