# Sends users and a group as a directory would, with the UnboundID SCIM 2 SDK. Requires Java 17 and Maven.
mvn --quiet --batch-mode --file test/foreign/scim2-sdk/pom.xml compile exec:java
