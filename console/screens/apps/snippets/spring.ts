import { pathOf, type Snippet, type SnippetValues, toSnippet } from "./snippet.ts";

/** Spring Boot with its OAuth 2.0 client. */
export function toSpring(values: SnippetValues): Snippet {
  const { issuer, clientId, redirectUri } = values;
  const properties = `spring:
  security:
    oauth2:
      client:
        registration:
          signet:
            client-id: ${clientId}
            client-secret: \${CLIENT_SECRET}
            authorization-grant-type: authorization_code
            redirect-uri: ${redirectUri}
            scope: openid, profile, email
        provider:
          signet:
            issuer-uri: ${issuer}
`;
  const security = `package com.example;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestCustomizers;
import org.springframework.security.web.SecurityFilterChain;

@Configuration
public class SecurityConfiguration {
  @Bean
  SecurityFilterChain security(HttpSecurity http, ClientRegistrationRepository clients) throws Exception {
    // Signet requires PKCE, which Spring Security before 7 does not send by default for clients with a secret.
    var resolver = new DefaultOAuth2AuthorizationRequestResolver(clients, "/oauth2/authorization");
    resolver.setAuthorizationRequestCustomizer(OAuth2AuthorizationRequestCustomizers.withPkce());
    return http
        .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
        .oauth2Login(login -> login
            .authorizationEndpoint(endpoint -> endpoint.authorizationRequestResolver(resolver))
            .redirectionEndpoint(endpoint -> endpoint.baseUri("${pathOf(values)}")))
        .build();
  }
}
`;
  return toSnippet("Spring Boot", "Java", {
    "build.gradle": dependencies("spring-boot-starter-web", "spring-boot-starter-oauth2-client"),
    "application.yml": properties,
    "SecurityConfiguration.java": security,
  });
}

/** A Spring Boot program that gets tokens without users. */
export function toSpringService({ issuer, clientId }: SnippetValues): Snippet {
  const text = `spring:
  security:
    oauth2:
      client:
        registration:
          signet:
            client-id: ${clientId}
            client-secret: \${CLIENT_SECRET}
            authorization-grant-type: client_credentials
        provider:
          signet:
            token-uri: ${issuer}/oauth/v2/token
`;
  const program = `package com.example;

import org.springframework.boot.CommandLineRunner;
import org.springframework.security.oauth2.client.AuthorizedClientServiceOAuth2AuthorizedClientManager;
import org.springframework.security.oauth2.client.InMemoryOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.OAuth2AuthorizeRequest;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.stereotype.Component;

@Component
public class PrintToken implements CommandLineRunner {
  private final ClientRegistrationRepository clients;

  public PrintToken(ClientRegistrationRepository clients) {
    this.clients = clients;
  }

  @Override
  public void run(String... args) {
    var manager = new AuthorizedClientServiceOAuth2AuthorizedClientManager(
        clients, new InMemoryOAuth2AuthorizedClientService(clients));
    var request = OAuth2AuthorizeRequest.withClientRegistrationId("signet").principal("service").build();
    System.out.println(manager.authorize(request).getAccessToken().getTokenValue());
  }
}
`;
  return toSnippet("Spring Boot", "Java", {
    "build.gradle": dependencies("spring-boot-starter-oauth2-client", "spring-boot-starter-json"),
    "application.yml": text,
    "PrintToken.java": program,
  });
}

function dependencies(...starters: readonly string[]): string {
  return starters.map((starter) => `implementation "org.springframework.boot:${starter}"\n`).join("");
}
