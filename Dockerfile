# The digest makes every build use the same base image. To update it, run `docker buildx imagetools inspect node:24-slim`,
# which prints the digest of the newest image.
ARG NODE_IMAGE=node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

FROM $NODE_IMAGE AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The base image contains Node, so the optional packages with Node binaries are removed. Source maps and type declarations
# are a third of the size of the packages, and nothing reads them.
RUN npm ci --omit=dev --ignore-scripts && \
  rm -r node_modules/node-linux-* node_modules/.bin/node && \
  find node_modules -type f \( -name "*.map" -o -name "*.d.ts" -o -name "*.d.mts" -o -name "*.d.cts" \) -delete

FROM $NODE_IMAGE
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY bin bin
COPY gen gen
COPY src src
# The guide at /docs/guide shows its images.
COPY docs docs
COPY README.md CHANGELOG.md LICENSE ./
RUN mkdir --mode=0700 /data && mkdir --parents node_modules/.cache/signet && chown node:node /data node_modules/.cache/signet
USER node
# Fills Node's compile cache (11 MB). Without it, a start takes twice the CPU time. The cache also works with a read-only
# file system, but only for the user `node`.
COPY scripts/warm-up.js scripts/warm-up.js
RUN node scripts/warm-up.js
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
# /healthz instead of /readyz, because a restart does not help if the database becomes unreachable. The port opens only
# when the database is ready.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "--disable-warning=Warning", "-e", "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; fetch(`http${process.env.TLS_CERT_FILE ? 's' : ''}://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/signet.js", "serve"]
