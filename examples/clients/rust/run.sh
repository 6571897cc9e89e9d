# Rust and protoc, with network access to crates.io.
cargo run --quiet --manifest-path examples/clients/rust/Cargo.toml --target-dir "$OUT"
