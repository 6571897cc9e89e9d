use std::{env, time::Duration};

use tonic::{metadata::MetadataValue, transport::Channel, Request};
use tonic_types::StatusExt;

tonic::include_proto!("signet");
use signet::v1::{
    import_human_user_request::{Email, Profile},
    management_service_client::ManagementServiceClient,
    ImportHumanUserRequest,
};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address = format!("http://{}", env::var("SIGNET_ADDRESS")?);
    let channel = Channel::from_shared(address)?.timeout(Duration::from_secs(5)).connect().await?;
    let token: MetadataValue<_> = format!("Bearer {}", env::var("SIGNET_TOKEN")?).parse()?;
    let mut management = ManagementServiceClient::with_interceptor(channel, move |mut request: Request<()>| {
        request.metadata_mut().insert("authorization", token.clone());
        Ok(request)
    });
    let request = ImportHumanUserRequest {
        user_name: format!("ada-{}", uuid::Uuid::new_v4()),
        profile: Some(Profile { first_name: "Ada".into(), last_name: "Lovelace".into(), ..Default::default() }),
        email: Some(Email { email: "ada@example.com".into(), is_email_verified: true }),
        ..Default::default()
    };

    let imported = management.import_human_user(request.clone()).await?.into_inner();
    println!("imported {}", imported.user_id);
    if let Err(status) = management.import_human_user(request).await {
        let reason = status.get_details_error_info().map(|info| info.reason);
        println!("failed {:?} {}", status.code(), reason.unwrap_or_default());
    }
    Ok(())
}
