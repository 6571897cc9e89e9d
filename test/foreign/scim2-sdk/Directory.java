import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.jakarta.rs.json.JacksonJsonProvider;
import com.unboundid.scim2.client.ScimService;
import com.unboundid.scim2.common.ScimResource;
import com.unboundid.scim2.common.exceptions.ResourceConflictException;
import com.unboundid.scim2.common.exceptions.ResourceNotFoundException;
import com.unboundid.scim2.common.exceptions.ScimException;
import com.unboundid.scim2.common.messages.ListResponse;
import com.unboundid.scim2.common.types.Email;
import com.unboundid.scim2.common.types.GroupResource;
import com.unboundid.scim2.common.types.Member;
import com.unboundid.scim2.common.types.Name;
import com.unboundid.scim2.common.types.UserResource;
import com.unboundid.scim2.common.utils.JsonUtils;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.ClientRequestFilter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.glassfish.jersey.client.ClientConfig;
import org.glassfish.jersey.jnh.connector.JavaNetHttpConnectorProvider;

/** Sends users and a group to a new SCIM connection. Prints each step that did what it must. */
public class Directory {
  private static final ObjectMapper JSON = new ObjectMapper();
  /** As in the locations that the service returns, which the SDK checks. */
  private static final String ORIGIN = "http://" + System.getenv("SIGNET_ADDRESS").replace("127.0.0.1", "localhost");

  private static ScimService scim;

  public static void main(String[] args) throws Exception {
    String appId = manage("/management/v1/apps/oidc",
        Map.of("name", "Wiki with the SDK", "redirectUris", List.of("https://wiki.example.com/")), "appId");
    String token = manage("/management/v1/scim",
        Map.of("name", "SDK", "addressRule", "SCIM_ADDRESS_RULE_SILENT", "groupAppId", appId), "token");
    ClientConfig config = new ClientConfig().connectorProvider(new JavaNetHttpConnectorProvider());
    config.register(new JacksonJsonProvider(JsonUtils.createObjectMapper()));
    config.register((ClientRequestFilter) request -> request.getHeaders().putSingle("authorization", "Bearer " + token));
    scim = new ScimService(ClientBuilder.newClient(config).target(ORIGIN + "/scim/v2"));

    check("finds what the service supports", scim.getServiceProviderConfig().getPatch().isSupported());
    UserResource ada = scim.create("Users", user("ada.sdk"));
    check("creates a user", ada.getId() != null && ada.getEmails().get(0).getValue().equals("ada.sdk@example.com"));
    try {
      scim.create("Users", user("Ada.SDK"));
      check("rejects a name that is taken", false);
    } catch (ResourceConflictException error) {
      check("rejects a name that is taken", error.getScimError().getScimType().equals("uniqueness"));
    }
    UserResource grace = scim.create("Users", user("grace.sdk"));
    ListResponse<UserResource> found = scim.search("Users", "userName eq \"GRACE.sdk\"", UserResource.class);
    check("searches", found.getTotalResults() == 1 && found.getResources().get(0).getId().equals(grace.getId()));
    ListResponse<UserResource> page = scim.searchRequest("Users").filter("userName ew \".sdk\"").page(2, 1)
        .attributes("userName").invokePost(UserResource.class);
    check("pages", page.getTotalResults() == 2 && page.getItemsPerPage() == 1
        && page.getResources().get(0).getUserName().equals("grace.sdk"));

    ada.setTitle("Countess");
    check("replaces a user", scim.replaceRequest(ada).ifMatch().invoke().getTitle().equals("Countess"));
    try {
      scim.replaceRequest(ada).ifMatch().invoke();
      check("rejects an old version", false);
    } catch (ScimException error) {
      check("rejects an old version", error.getScimError().getStatus() == 412);
    }
    UserResource patched = scim.modifyRequest(scim.retrieve(ada)).replaceValue("name.familyName", "King")
        .replaceValue("emails[type eq \"work\"].value", "king@example.com").replaceValue("active", false).invoke();
    check("patches a user", patched.getName().getFamilyName().equals("King") && !patched.getActive()
        && patched.getEmails().get(0).getValue().equals("king@example.com"));

    GroupResource group = scim.create("Groups", new GroupResource().setDisplayName("Editors"));
    scim.modifyRequest("Groups", group.getId()).addValues("members", member(ada), member(grace))
        .invoke(GroupResource.class);
    check("adds members", scim.retrieve(group).getMembers().size() == 2);
    scim.modifyRequest("Groups", group.getId()).removeValues("members[value eq \"" + ada.getId() + "\"]")
        .invoke(GroupResource.class);
    List<Member> members = scim.retrieve(group).getMembers();
    check("removes a member", members.size() == 1 && members.get(0).getValue().equals(grace.getId()));
    scim.delete(group);
    scim.delete(ada);
    scim.delete(grace);
    check("deletes", isGone(group) && isGone(ada) && isGone(grace));
  }

  private static boolean isGone(ScimResource resource) throws ScimException {
    try {
      scim.retrieve(resource);
      return false;
    } catch (ResourceNotFoundException error) {
      return true;
    }
  }

  private static UserResource user(String userName) {
    UserResource user = new UserResource().setUserName(userName)
        .setName(new Name().setGivenName("Ada").setFamilyName("Lovelace"))
        .setEmails(new Email().setValue(userName + "@example.com").setType("work").setPrimary(true));
    user.setExternalId(userName);
    return user;
  }

  private static Member member(UserResource user) {
    return new Member().setValue(user.getId());
  }

  private static void check(String step, boolean isTrue) {
    if (!isTrue) throw new AssertionError(step);
    System.out.println(step);
  }

  /** Calls the management API, and returns a field of the response. */
  private static String manage(String path, Map<String, ?> body, String field) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(ORIGIN + path))
        .header("authorization", "Bearer " + System.getenv("SIGNET_TOKEN")).header("content-type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body))).build();
    String response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    return JSON.readTree(response).get(field).asText();
  }
}
