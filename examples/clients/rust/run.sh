# Rust 1.88 or newer, which downloads the libraries.
npx buf build proto --as-file-descriptor-set --output "$OUT/signet.binpb"
cp -R examples/clients/rust "$OUT"
cargo run --quiet --locked --manifest-path "$OUT/rust/Cargo.toml"
