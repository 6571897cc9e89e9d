fn main() -> Result<(), Box<dyn std::error::Error>> {
    let descriptors = format!("{}/signet.binpb", std::env::var("OUT")?);
    tonic_prost_build::configure()
        .build_server(false)
        .include_file("signet.rs")
        .file_descriptor_set_path(descriptors)
        .skip_protoc_run()
        .compile_protos(&["signet/v1/management.proto"], &["."])?;
    Ok(())
}
