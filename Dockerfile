FROM rust:1.95.0-slim-bookworm AS build
WORKDIR /kibitz
COPY Cargo.toml Cargo.lock build.rs openapi.yaml ./
COPY crates crates
COPY src src
COPY benches benches
# What /version tells: --build-arg KIBITZ_COMMIT="$(git rev-parse HEAD)", and SOURCE_DATE_EPOCH instead of the present time.
ARG KIBITZ_COMMIT
ARG SOURCE_DATE_EPOCH
# A static executable needs an explicit target, or the flag would reach build scripts too.
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/kibitz/target \
    target="$(rustc -vV | sed -n 's/^host: //p')" \
    && RUSTFLAGS="-C target-feature=+crt-static" cargo build --release --locked --target "$target" \
    && cp "target/$target/release/kibitz" /kibitz/kibitz

FROM scratch
LABEL org.opencontainers.image.title="Kibitz" \
      org.opencontainers.image.description="The best next decision in games of dice and cards, exactly, in microseconds" \
      org.opencontainers.image.licenses="MIT OR Apache-2.0"
COPY --from=build /kibitz/kibitz /kibitz
USER 65532:65532
# The health check asks the address for operators, so that no argument about the main address leads it astray.
ENV KIBITZ_LISTEN=0.0.0.0:8080 KIBITZ_ADMIN_LISTEN=0.0.0.0:9090
EXPOSE 8080 9090
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s CMD ["/kibitz", "healthcheck"]
ENTRYPOINT ["/kibitz"]
