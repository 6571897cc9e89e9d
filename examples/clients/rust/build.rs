fn main() -> Result<(), Box<dyn std::error::Error>> {
    let protos = ["../../../proto/signet/v1/management.proto"];
    tonic_build::configure().build_server(false).include_file("signet.rs").compile_protos(&protos, &["../../../proto"])?;
    Ok(())
}
