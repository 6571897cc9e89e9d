# Builds the programs that the console shows for Spring Boot, signs a user in to one, and gets a token for a service with the
# other. Requires Java 17 and Maven, which downloads Spring. PKCE is part of Spring Security from 7 on, which belongs to Spring Boot 4.
for version in 3.5.7 4.0.7; do
  node test/foreign/spring/check-snippets.ts "$version"
done
