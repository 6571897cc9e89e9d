import { UserManager } from "oidc-client-ts";

const signet = new UserManager({
  authority: "https://id.example.com",
  client_id: "YOUR_CLIENT_ID",
  redirect_uri: "https://app.example.com/signed-in",
  scope: "openid profile email",
});

if (location.href.startsWith("https://app.example.com/signed-in?")) {
  const user = await signet.signinCallback();
  console.log(user.profile.sub);
} else {
  await signet.signinRedirect();
}
