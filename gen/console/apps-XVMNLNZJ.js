import{a as Ae}from"./chunk-5FXAL4WQ.js";import{a as A}from"./chunk-FAZ2D4OR.js";import{i as Ie}from"./chunk-JHQ65ETH.js";import{c as Ee}from"./chunk-GVD2VM4I.js";import{a as ve}from"./chunk-2HL7GLNS.js";import{a as Y,c as j}from"./chunk-L5ODPXP5.js";import"./chunk-YCJTT3BN.js";import"./chunk-TOPF4EJH.js";import"./chunk-WDIMU3HM.js";import"./chunk-EH32OKBW.js";import"./chunk-CCEISDOD.js";import{a as fe,d as ye,f as Ce}from"./chunk-3GAU7JR2.js";import"./chunk-JHGAVXWX.js";import{a as S,c as Q,d as G,e as V,f as K}from"./chunk-4FCEC5HG.js";import"./chunk-S55N2AEH.js";import"./chunk-VFZ3YOHU.js";import{b as ke,c as Te,d as Se}from"./chunk-AAWHGSKY.js";import{c as _,e as ee,f,h as _e}from"./chunk-CNCTETYB.js";import"./chunk-ADVJKHJX.js";import{A as R,B as le,C as de,D as N,E as g,K as U,X as L,Y as T,_ as M,a as u,aa as F,c as I,ha as ue,ja as H,ka as q,l as e,n as ce,pa as he,qa as ge,x as d,z as D}from"./chunk-TFOVSRZQ.js";import{Q as me,p as pe,q as v,r as O,s as k,t as Z,u as b,v as x}from"./chunk-SMGMPJTH.js";import{t as ae}from"./chunk-TJBVM427.js";var{OIDC_GRANT_TYPE_AUTHORIZATION_CODE:te,OIDC_GRANT_TYPE_REFRESH_TOKEN:ne}=v,{OIDC_AUTH_METHOD_TYPE_BASIC:Re,OIDC_AUTH_METHOD_TYPE_NONE:we}=k,P={web:{appType:O.OIDC_APP_TYPE_WEB,authMethodType:Re,grantTypes:[te,ne]},browser:{appType:O.OIDC_APP_TYPE_USER_AGENT,authMethodType:we,grantTypes:[te,ne]},native:{appType:O.OIDC_APP_TYPE_NATIVE,authMethodType:we,grantTypes:[te,ne,v.OIDC_GRANT_TYPE_DEVICE_CODE]},service:{appType:O.OIDC_APP_TYPE_SERVICE,authMethodType:Re,grantTypes:[v.OIDC_GRANT_TYPE_CLIENT_CREDENTIALS]}},ie=R(P);function z(n){return ie.find(t=>P[t].appType===n)??"web"}function Oe(n){return n==="browser"||n==="native"}function B({config:{value:n}}){return n??ae(pe)}function Be(n){return{paths:n.map(t=>t.replace(/[A-Z]/g,i=>`_${i.toLowerCase()}`))}}function w(n){let{orgId:t,app:i,mayChange:o,onChanged:s,title:r,names:c,children:p}=n,{management:a}=T(t),l=D(B(i),c),m=j({stored:l,isReadOnly:!o,onSaved:s,async save(C,y){let{app:E}=await a.getAppByID({appId:i.id});ce(E&&D(B(E),c),l);let X={appId:i.id,...D(C,y),updateMask:Be(y)};await a.patchOIDCAppConfig(X)}});return e(H,{title:r,children:e(Y,{form:m,children:p(m)})})}var $e=new Set(["wildcard","unencrypted"]),We=new Set(["localhost","127.0.0.1","[::1]"]);function be(n,t,i){let o=t==="native",s=/^[\x21-\x7e]+$/.test(n)?URL.parse(n):null;if(s===null)return"notAbsolute";if(n.includes("#"))return"fragment";if(s.username!==""||s.password!=="")return"userInfo";let r=We.has(s.hostname);if(s.protocol==="http:"){if(!i&&!(o&&r))return o?"httpsOrLoopback":"httpsOrDevMode";if(!r)return"unencrypted"}else if(s.protocol!=="https:"){let c=/^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/.test(s.protocol);if(!o||!c)return o?"httpsOrScheme":"https"}return n.includes("*")?"wildcard":void 0}function xe(n){return!$e.has(n)}var Je=["redirectUris","postLogoutRedirectUris","additionalOrigins","backChannelLogoutUri","devMode"];function Pe(n){let{apps:t}=d.value;return e(w,{...n,title:t.steps.addresses,names:Je,children:i=>e(u,{children:[e(oe,{kind:n.kind,form:i}),e(A,{label:t.origins,hint:t.originsHint,...i.field("additionalOrigins"),placeholder:"https://app.example.com"}),e(_,{label:t.backChannel,hint:t.backChannelHint,...i.field("backChannelLogoutUri")}),e(f,{label:t.devMode,hint:t.devModeHint,...i.field("devMode")})]})})}function oe({kind:n,form:t}){let{apps:i}=d.value,o=s=>{let r=be(s.trim(),n,t.values.devMode);return r&&{text:i.uriProblems[r],isRejected:xe(r)}};return e(u,{children:[e(A,{label:i.redirectUris,hint:i.redirectUrisHint,describe:o,placeholder:`${Ne[n]}signed-in`,...t.field("redirectUris")}),e(A,{label:i.signOutUris,hint:i.signOutUrisHint,describe:o,placeholder:`${Ne[n]}signed-out`,...t.field("postLogoutRedirectUris")})]})}var Ne={web:"https://app.example.com/",browser:"https://app.example.com/",native:"com.example.app:/",service:""};var Xe={web:["authorization","token","userinfo","introspection","end_session"],browser:["authorization","token","userinfo","end_session"],native:["authorization","token","device_authorization","userinfo","end_session"],service:["token","introspection"]};function $({kind:n,clientId:t,clientSecret:i}){let{issuer:o}=L().settings,{apps:s}=d.value,r=`${o}/.well-known/openid-configuration`,c=M(`discovery ${o}`,async a=>await(await fetch(r,{signal:a})).json()),p=[...Xe[n].map(a=>`${a}_endpoint`),"jwks_uri"].flatMap(a=>{let l=c.value?.[a];return typeof l=="string"?[[a,l]]:[]});return e("div",{class:"panel",children:[i!==""&&e(G,{label:s.clientSecret,secret:i}),e(q,{facts:[[s.issuer,e(S,{text:o})],[s.clientId,e(S,{text:t})],[s.discovery,e(S,{text:r})],...p.map(([a,l])=>[e("code",{children:a},a),e(S,{text:l},a)])]})]})}var De=[{path:"sign-in/express/server.js",text:`import { randomUUID } from "node:crypto";
import express from "express";
import * as client from "openid-client";

const origin = "https://app.example.com";
const issuer = new URL("https://id.example.com");
const signet = await client.discovery(
  issuer,
  "YOUR_CLIENT_ID",
  undefined,
  client.ClientSecretBasic(process.env.CLIENT_SECRET),
  // HTTP without TLS only on the local machine.
  { execute: issuer.protocol === "http:" ? [client.allowInsecureRequests] : [] },
);

// By the value of the browser's cookie. A real application stores them, and deletes old ones.
const sessions = new Map();
const app = express();

app.get("/me", (request, response) => {
  const claims = sessionOf(request)?.claims;
  if (claims) response.json(claims);
  else response.send('<a href="/sign-in">Sign in</a>');
});

app.get("/sign-in", async (_request, response) => {
  const codeVerifier = client.randomPKCECodeVerifier();
  const attempt = { codeVerifier, state: client.randomState(), nonce: client.randomNonce() };
  const url = client.buildAuthorizationUrl(signet, {
    redirect_uri: "https://app.example.com/signed-in",
    scope: "openid profile email",
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
    state: attempt.state,
    nonce: attempt.nonce,
  });
  begin(response, { attempt }).redirect(303, url.href);
});

app.get("/signed-in", async (request, response) => {
  const attempt = sessionOf(request)?.attempt;
  if (attempt === undefined) return response.status(400).send("The sign-in began in another browser.");
  const tokens = await client.authorizationCodeGrant(signet, new URL(request.url, origin), {
    pkceCodeVerifier: attempt.codeVerifier,
    expectedState: attempt.state,
    expectedNonce: attempt.nonce,
  });
  const claims = await client.fetchUserInfo(signet, tokens.access_token, tokens.claims().sub);
  begin(response, { claims }).redirect(303, "/me");
});

function begin(response, session) {
  const id = randomUUID();
  sessions.set(id, session);
  return response.cookie("session", id, { httpOnly: true, sameSite: "lax", secure: origin.startsWith("https:") });
}

function sessionOf(request) {
  const [, id] = /(?:^|; )session=([\\w-]+)/.exec(request.headers.cookie ?? "") ?? [];
  return sessions.get(id);
}

app.listen(process.env.PORT ?? 3000);
`},{path:"sign-in/browser/sign-in.js",text:`import { UserManager } from "oidc-client-ts";

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
`},{path:"sign-in/flask/app.py",text:`import os

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session

app = Flask(__name__)
# At least 32 random characters, which sign the cookie.
app.secret_key = os.environ["SESSION_SECRET"]
oauth = OAuth(app)
oauth.register(
    "signet",
    client_id="YOUR_CLIENT_ID",
    client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url="https://id.example.com/.well-known/openid-configuration",
    client_kwargs={"scope": "openid profile email", "code_challenge_method": "S256"},
)


@app.get("/me")
def me():
    return session.get("user") or '<a href="/sign-in">Sign in</a>'


@app.get("/sign-in")
def sign_in():
    return oauth.signet.authorize_redirect("https://app.example.com/signed-in")


@app.get("/signed-in")
def signed_in():
    oauth.signet.authorize_access_token()
    session["user"] = dict(oauth.signet.userinfo())
    return redirect("/me")
`},{path:"sign-in/go/main.go",text:`package main

import (
	"context"
	"crypto/rand"
	"log"
	"net/http"
	"os"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

const origin = "https://app.example.com"

func main() {
	provider, err := oidc.NewProvider(context.Background(), "https://id.example.com")
	if err != nil {
		log.Fatal(err)
	}
	config := oauth2.Config{
		ClientID:     "YOUR_CLIENT_ID",
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  "https://app.example.com/signed-in",
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})

	http.HandleFunc("GET /sign-in", func(response http.ResponseWriter, request *http.Request) {
		state, nonce, code := rand.Text(), rand.Text(), oauth2.GenerateVerifier()
		keep(response, strings.Join([]string{state, nonce, code}, "."), 3600)
		address := config.AuthCodeURL(state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(code))
		http.Redirect(response, request, address, http.StatusSeeOther)
	})

	http.HandleFunc("GET /signed-in", func(response http.ResponseWriter, request *http.Request) {
		cookie, err := request.Cookie("attempt")
		keep(response, "", -1)
		if err != nil {
			http.Error(response, "The sign-in began in another browser.", http.StatusBadRequest)
			return
		}
		attempt := strings.SplitN(cookie.Value, ".", 3)
		if len(attempt) != 3 || request.FormValue("state") != attempt[0] {
			http.Error(response, "The sign-in began in another browser.", http.StatusBadRequest)
			return
		}
		token, err := config.Exchange(request.Context(), request.FormValue("code"), oauth2.VerifierOption(attempt[2]))
		if err != nil {
			http.Error(response, "The sign-in failed.", http.StatusBadRequest)
			return
		}
		text, _ := token.Extra("id_token").(string)
		idToken, err := verifier.Verify(request.Context(), text)
		if err != nil || idToken.Nonce != attempt[1] {
			http.Error(response, "The sign-in failed.", http.StatusBadRequest)
			return
		}
		// Start the session of the user here.
		response.Write([]byte(idToken.Subject))
	})

	log.Fatal(http.ListenAndServe("localhost:"+os.Getenv("PORT"), nil))
}

// keep stores what the return of the browser is checked against.
func keep(response http.ResponseWriter, value string, seconds int) {
	http.SetCookie(response, &http.Cookie{
		Name: "attempt", Value: value, MaxAge: seconds,
		Path: "/", HttpOnly: true, Secure: strings.HasPrefix(origin, "https:"), SameSite: http.SameSiteLaxMode,
	})
}
`},{path:"sign-in/spring/application.yml",text:`spring:
  security:
    oauth2:
      client:
        registration:
          signet:
            client-id: YOUR_CLIENT_ID
            client-secret: \${CLIENT_SECRET}
            authorization-grant-type: authorization_code
            redirect-uri: https://app.example.com/signed-in
            scope: openid, profile, email
        provider:
          signet:
            issuer-uri: https://id.example.com
`},{path:"sign-in/spring/SecurityConfiguration.java",text:`package com.example;

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
            .redirectionEndpoint(endpoint -> endpoint.baseUri("/signed-in")))
        .build();
  }
}
`},{path:"sign-in/curl/check-token.sh",text:`# The endpoints.
curl -sS --fail-with-body https://id.example.com/.well-known/openid-configuration

# Whether an access token is valid, and for whom.
curl -sS --fail-with-body https://id.example.com/oauth/v2/introspect --user "YOUR_CLIENT_ID:$CLIENT_SECRET" --data-urlencode "token=$ACCESS_TOKEN"
`},{path:"sign-in/curl-device/sign-in.sh",text:`# Open verification_uri_complete of the response in a browser, and sign in.
curl -sS --fail-with-body https://id.example.com/oauth/v2/device_authorization -d client_id=YOUR_CLIENT_ID -d scope=openid

# Then get the tokens with device_code of the response.
curl -sS --fail-with-body https://id.example.com/oauth/v2/token -d client_id=YOUR_CLIENT_ID -d "device_code=$DEVICE_CODE" -d grant_type=urn:ietf:params:oauth:grant-type:device_code
`},{path:"service/curl/get-token.sh",text:`curl -sS --fail-with-body https://id.example.com/oauth/v2/token --user "YOUR_CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials
`},{path:"service/node/service.js",text:`import * as client from "openid-client";

const issuer = new URL("https://id.example.com");
const signet = await client.discovery(
  issuer,
  "YOUR_CLIENT_ID",
  undefined,
  client.ClientSecretBasic(process.env.CLIENT_SECRET),
  // HTTP without TLS only on the local machine.
  { execute: issuer.protocol === "http:" ? [client.allowInsecureRequests] : [] },
);
const tokens = await client.clientCredentialsGrant(signet);
console.log(tokens.access_token);
`},{path:"service/python/service.py",text:`import os

from authlib.integrations.requests_client import OAuth2Session

session = OAuth2Session("YOUR_CLIENT_ID", os.environ["CLIENT_SECRET"])
token = session.fetch_token("https://id.example.com/oauth/v2/token", grant_type="client_credentials")
print(token["access_token"])
`},{path:"service/go/main.go",text:`package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"golang.org/x/oauth2/clientcredentials"
)

func main() {
	config := clientcredentials.Config{
		ClientID:     "YOUR_CLIENT_ID",
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		TokenURL:     "https://id.example.com/oauth/v2/token",
	}
	token, err := config.Token(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(token.AccessToken)
}
`},{path:"service/spring/application.yml",text:`spring:
  security:
    oauth2:
      client:
        registration:
          signet:
            client-id: YOUR_CLIENT_ID
            client-secret: \${CLIENT_SECRET}
            authorization-grant-type: client_credentials
        provider:
          signet:
            token-uri: https://id.example.com/oauth/v2/token
`},{path:"service/spring/PrintToken.java",text:`package com.example;

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
`},{path:"nextjs/lib/signet.js",text:`import * as client from "openid-client";

const issuer = new URL(process.env.SIGNET_URL ?? "http://localhost:8080");

/** The URL of this application, whose \`/signed-in\` is the redirect URI. */
export const ORIGIN = process.env.APP_ORIGIN ?? "http://localhost:3000";

let discovered;

/** The endpoints and keys of Signet, loaded at the first sign-in, so that a build needs no running service. */
export async function findConfiguration() {
  discovered ??= client.discovery(
    issuer,
    process.env.CLIENT_ID,
    undefined,
    client.ClientSecretBasic(process.env.CLIENT_SECRET),
    // Use HTTP without TLS only on the local machine.
    { execute: issuer.protocol === "http:" ? [client.allowInsecureRequests] : [] },
  );
  try {
    return await discovered;
  } catch (error) {
    discovered = undefined;
    throw error;
  }
}
`},{path:"nextjs/lib/sealed-cookie.js",text:`import { createHash } from "node:crypto";
import { EncryptJWT, jwtDecrypt } from "jose";
import { cookies } from "next/headers";

/** Encrypts a value in a cookie of the browser, so that the application needs no table of sessions. */
export async function writeCookie(name, value, seconds) {
  const sealed = await new EncryptJWT({ value })
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .setAudience(name)
    .setExpirationTime(\`\${seconds} s\`)
    .encrypt(toKey());
  const secure = process.env.APP_ORIGIN?.startsWith("https:") ?? false;
  (await cookies()).set(name, sealed, { httpOnly: true, sameSite: "lax", secure, path: "/", maxAge: seconds });
}

/** The value of a cookie; undefined if there is none, or it is not valid. */
export async function readCookie(name) {
  const sealed = (await cookies()).get(name)?.value;
  if (sealed === undefined) return undefined;
  try {
    return (await jwtDecrypt(sealed, toKey(), { audience: name })).payload.value;
  } catch {
    return undefined;
  }
}

export async function deleteCookie(name) {
  (await cookies()).delete(name);
}

/** At least 32 random characters, the same on all servers of the application. */
function toKey() {
  const secret = process.env.SESSION_SECRET ?? "";
  if (secret.length < 32) throw new Error("SESSION_SECRET must have at least 32 characters");
  return createHash("sha256").update(secret).digest();
}
`},{path:"nextjs/app/sign-in/route.js",text:`import { NextResponse } from "next/server";
import * as client from "openid-client";
import { writeCookie } from "../../lib/sealed-cookie.js";
import { findConfiguration, ORIGIN } from "../../lib/signet.js";

/** Redirects the browser to Signet, and keeps what its return is checked against. */
export async function GET() {
  const configuration = await findConfiguration();
  const codeVerifier = client.randomPKCECodeVerifier();
  const attempt = { codeVerifier, state: client.randomState(), nonce: client.randomNonce() };
  await writeCookie("attempt", attempt, 3_600);
  const location = client.buildAuthorizationUrl(configuration, {
    redirect_uri: \`\${ORIGIN}/signed-in\`,
    scope: "openid profile email",
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
    state: attempt.state,
    nonce: attempt.nonce,
  });
  return NextResponse.redirect(location, 303);
}
`},{path:"nextjs/app/signed-in/route.js",text:`import { NextResponse } from "next/server";
import * as client from "openid-client";
import { deleteCookie, readCookie, writeCookie } from "../../lib/sealed-cookie.js";
import { findConfiguration, ORIGIN } from "../../lib/signet.js";

/** How long a user stays signed in here. */
const SESSION_SECONDS = 8 * 3_600;

/** Redeems the code, and starts a session. */
export async function GET(request) {
  const attempt = await readCookie("attempt");
  await deleteCookie("attempt");
  if (attempt === undefined) return failed("The sign-in began in another browser.");
  const configuration = await findConfiguration();
  // Behind a proxy, the URL of the request has another origin.
  const callback = new URL(\`/signed-in\${request.nextUrl.search}\`, ORIGIN);
  try {
    const tokens = await client.authorizationCodeGrant(configuration, callback, {
      pkceCodeVerifier: attempt.codeVerifier,
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
    });
    const claims = await client.fetchUserInfo(configuration, tokens.access_token, tokens.claims().sub);
    await writeCookie("session", { claims, idToken: tokens.id_token }, SESSION_SECONDS);
  } catch (error) {
    console.error(error);
    return failed("The sign-in failed.");
  }
  return NextResponse.redirect(\`\${ORIGIN}/\`, 303);
}

function failed(reason) {
  return new NextResponse(\`\${reason} Please try again.\`, { status: 400 });
}
`}];function Le(n,t){return Qe[n].map(({files:i,...o})=>({...o,files:i.map(s=>tt(s,t))}))}var Ze=`SIGNET_URL=https://id.example.com
APP_ORIGIN=https://app.example.com
CLIENT_ID=YOUR_CLIENT_ID
CLIENT_SECRET=
# At least 32 random characters, which encrypt the cookies.
SESSION_SECRET=
`,Qe={web:[h("Express","Node.js","sign-in/express",{npm:`npm install express openid-client
`}),h("Next.js","Node.js","nextjs",{npm:`npm install jose openid-client
`,".env.local":Ze}),h("Spring Boot","Java","sign-in/spring",{"build.gradle":Ue("spring-boot-starter-web","spring-boot-starter-oauth2-client")}),h("Flask","Python, Authlib","sign-in/flask",{pip:`pip install Authlib Flask requests
`}),h("go-oidc","Go","sign-in/go",{go:`go get github.com/coreos/go-oidc/v3 golang.org/x/oauth2
`}),h("curl","Shell","sign-in/curl")],browser:[h("oidc-client-ts","React, Vue, Svelte","sign-in/browser",{npm:`npm install oidc-client-ts
`})],native:[h("curl","Shell","sign-in/curl-device")],service:[h("curl","Shell","service/curl"),h("openid-client","Node.js","service/node",{npm:`npm install openid-client
`}),h("Spring Boot","Java","service/spring",{"build.gradle":Ue("spring-boot-starter-oauth2-client","spring-boot-starter-json")}),h("Authlib","Python","service/python",{pip:`pip install Authlib requests
`}),h("oauth2","Go","service/go",{go:`go get golang.org/x/oauth2
`})]};function h(n,t,i,o={}){let s=De.filter(({path:r})=>r.startsWith(`${i}/`));return{name:n,platform:t,files:[...Object.entries(o).map(([r,c])=>({name:r,text:c})),...s.map(({path:r,text:c})=>({name:r.slice(i.length+1),text:c}))]}}function Ue(...n){return n.map(t=>`implementation "org.springframework.boot:${t}"
`).join("")}var et=/https:\/\/id\.example\.com|YOUR_CLIENT_ID|https:\/\/app\.example\.com(?:\/signed-in)?|\/signed-in/g;function tt({name:n,text:t},{issuer:i,clientId:o,redirectUri:s}){let r=URL.parse(s),c=r?.pathname??"/signed-in",p={"https://id.example.com":i,YOUR_CLIENT_ID:o,"https://app.example.com/signed-in":s||void 0,"https://app.example.com":r?.origin,"/signed-in":c},a=t.replace(et,m=>p[m]??m);if(!n.includes("/signed-in/"))return{name:n,text:a};let l=`${"../".repeat(c.split("/").length)}lib/`;return{name:n.replace("/signed-in",c),text:a.replaceAll("../../lib/",l)}}function W({app:n}){let{issuer:t}=L().settings,{apps:i}=d.value,[o,s]=I(0),r=Le(n.kind,{issuer:t,...n}),c=r[o]??r[0],p=n.kind==="web"||n.kind==="service";return e(u,{children:[e("fieldset",{class:"tiles",children:[e("legend",{class:"spoken",children:i.frameworks}),r.map(({name:a,platform:l},m)=>e("button",{type:"button","aria-pressed":m===o,onClick:()=>s(m),children:[e("strong",{children:a}),e("span",{class:"small",children:l})]},a))]}),p&&e("p",{class:"hint",children:i.secretHint}),n.clientSecret&&e(Q,{name:i.environment,text:`export CLIENT_SECRET=${n.clientSecret}
`}),c?.files.map(({name:a,text:l})=>e(Q,{name:a,text:l,children:at(a,l)},a))]})}var nt=new Set(["async await break case catch class const continue def default else except export extends finally for from func","function if implements import in interface let new nil null None package private public raise return static struct","throw throws try type undefined var void while with yield True False true false"].flatMap(n=>n.split(" "))),it=/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/,ot=/(?<=^|\s)#.*/,rt=/\/\/.*|\/\*[\s\S]*?\*\//,st=/(?<![-.\w$@])[A-Za-z_$@][\w$]*/;function at(n,t){let i=/\.(?:js|go|java)$/.test(n)?rt:ot,o=new RegExp(`(?<comment>${i.source})|(?<string>${it.source})|(?<word>${st.source})`,"gm"),s=[],r=0;for(let{0:c,index:p,groups:a={}}of t.matchAll(o)){let l=a.comment?"comment":a.string?"string":nt.has(c)?"keyword":void 0;l!==void 0&&(s.push(t.slice(r,p),e("span",{class:l,children:c},p)),r=p+c.length)}return[...s,t.slice(r)]}function J({orgId:n,...t}){let{serviceUser:i,chooseMachine:o,noMachines:s}=d.value.apps;return e(Ee,{label:i,placeholder:o,none:s,...Ie(n,"machine"),...t})}var pt=["grantTypes","authMethodType","jwks","jwksUri","accessTokenType","idTokenUserinfoAssertion","idTokenSignedResponseAlg","apiAccess","serviceUserId","requiresPkce","requiresPar","dpopBoundAccessTokens"],Me={RS256:b.OIDC_SIGNING_ALGORITHM_RS256,ES256:b.OIDC_SIGNING_ALGORITHM_ES256,EdDSA:b.OIDC_SIGNING_ALGORITHM_EDDSA,PS256:b.OIDC_SIGNING_ALGORITHM_PS256},re={basic:k.OIDC_AUTH_METHOD_TYPE_BASIC,post:k.OIDC_AUTH_METHOD_TYPE_POST,key:k.OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT,none:k.OIDC_AUTH_METHOD_TYPE_NONE},Fe={opaque:Z.OIDC_TOKEN_TYPE_BEARER,jwt:Z.OIDC_TOKEN_TYPE_JWT},{OIDC_GRANT_TYPE_REFRESH_TOKEN:ct,OIDC_GRANT_TYPE_DEVICE_CODE:lt}=v;function qe(n){let{kind:t,orgId:i,permissions:o}=n,{apps:s}=d.value;return e(w,{...n,title:s.tokens,names:pt,children:r=>e(u,{children:[t==="service"&&e(J,{orgId:i,...r.field("serviceUserId")}),e(dt,{kind:t,form:r}),e(_e,{label:s.tokenType,options:R(Fe).map(c=>({value:c,...s.tokenTypes[c]})),...se(r.field("accessTokenType"),Fe,"opaque")}),t!=="service"&&e(mt,{kind:t,form:r}),e(f,{label:s.dpop,hint:s.dpopHint,...r.field("dpopBoundAccessTokens")}),e(f,{label:s.apiAccess,hint:s.apiAccessHint,...r.field("apiAccess"),isReadOnly:r.isReadOnly||!o.can("org.member.write")})]})})}function dt({kind:n,form:t}){let{apps:i}=d.value,o=se(t.field("authMethodType"),re,"basic"),s=R(re).filter(r=>r!=="none"||n==="web");return e(u,{children:[!Oe(n)&&e(ee,{label:i.authentication,options:s.map(r=>[r,i.methods[r]]),...o,onInput:r=>{o.onInput(r),r!=="key"&&t.set({jwks:"",jwksUri:""})}}),o.value==="key"&&e(u,{children:[e(_,{label:i.jwksUri,hint:i.jwksHint,...t.field("jwksUri")}),e(_,{label:i.jwks,...t.field("jwks")})]})]})}function mt({form:n}){let{apps:t}=d.value,i=n.values.authMethodType!==re.none;return e(u,{children:[i&&e(f,{label:t.pkce,hint:t.pkceHint,...n.field("requiresPkce")}),e(f,{label:t.par,hint:t.parHint,...n.field("requiresPar")}),e(f,{label:t.idTokenClaims,hint:t.idTokenClaimsHint,...n.field("idTokenUserinfoAssertion")}),e(ee,{label:t.idTokenAlgorithm,options:R(Me).map(o=>[o,o]),...se(n.field("idTokenSignedResponseAlg"),Me,"RS256")}),e(f,{label:t.refresh,hint:t.refreshHint,...He(n.field("grantTypes"),ct)}),e(f,{label:t.device,hint:t.deviceHint,...He(n.field("grantTypes"),lt)})]})}function He({value:n,onInput:t,...i},o){let s=n.filter(r=>r!==o);return{...i,value:n.includes(o),onInput:r=>t(r?[...n,o]:s)}}function se({value:n,onInput:t,...i},o,s){return{...i,value:le(o,n)??s,onInput:r=>t(o[r])}}function ut({orgId:n,id:t,tab:i}){let{management:o}=T(n),{apps:s}=d.value,r=M(`app ${n} ${t}`,async p=>(await o.getAppByID({appId:t},{signal:p})).app),c={title:s.title,path:g({page:"apps",orgId:n})};return e(he,{orgId:n,kind:s.app,list:c,found:r,nameOf:({name:p})=>p,children:(p,a)=>e(ht,{orgId:n,app:p,permissions:a,tab:i,kind:z(p.config.value?.appType),onChanged:r.reload,mayChange:gt(p,a)})})}function ht({tab:n,...t}){let{orgId:i,app:o,kind:s}=t,{apps:r,orgs:c,user:p}=d.value,a=s!=="service",[l=""]=B(o).redirectUris,[m,C]=I(""),y={name:o.name,kind:s,clientId:o.id,clientSecret:m,redirectUri:l};return e(u,{children:[e(q,{facts:[[c.state,e(V,{isActive:o.state===x.ACTIVE})],[r.kind,r.kinds[s].name],[c.created,e(K,{at:o.details?.creationDate})]]}),m&&n&&e(G,{label:r.clientSecret,secret:m}),t.permissions.can("org.app.write")&&e(Ct,{...t,onSecret:C}),e(Ae,{label:p.tabs.label,path:g({page:"app",orgId:i,id:o.id}),current:n,tabs:[{name:"",title:r.connect,show:()=>e(H,{title:r.connect,children:[e($,{...y}),e(W,{app:y})]})},a&&{name:"addresses",title:r.steps.addresses,show:()=>e(Pe,{...t})},{name:"tokens",title:r.tokens,show:()=>e(qe,{...t})},a&&{name:"roles",title:r.claims,show:()=>e(kt,{...t})}]})]})}function gt(n,t){let{apiAccess:i=!1,serviceUserId:o=""}=n.config.value??{};return t.can("org.app.write")&&(!i||t.can("org.member.write"))&&(o===""||t.can("user.write"))}var{OIDC_AUTH_METHOD_TYPE_BASIC:ft,OIDC_AUTH_METHOD_TYPE_POST:yt}=k;function Ct({orgId:n,app:t,mayChange:i,onChanged:o,onSecret:s}){let{management:r}=T(n),{apps:c,done:p}=d.value,{actions:a,clientSecret:l}=c,m={appId:t.id},C=t.config.value?.authMethodType,y=async()=>s((await r.regenerateOIDCClientSecret(m)).clientSecret),E=[i&&(C===ft||C===yt)&&{...a.newSecret,isDangerous:!0,change:y,done:p.added(l)},ke({of:t.name,isActive:t.state===x.ACTIVE,words:a,deactivate:()=>r.deactivateApp(m),reactivate:()=>r.reactivateApp(m)}),Te({...a.remove,of:t.name,path:g({page:"apps",orgId:n}),change:()=>r.removeApp(m)})];return e(Se,{of:t.name,actions:E,onDone:o})}function kt(n){let{apps:t}=d.value;return e(w,{...n,title:t.claims,names:["roles","metadataClaims"],children:i=>e(u,{children:[e(A,{label:t.roles,hint:t.rolesHint,...i.field("roles"),placeholder:"editor"}),e(A,{label:t.metadataClaims,hint:t.metadataClaimsHint,...i.field("metadataClaims"),placeholder:"plan"})]})})}var Ge=[],Tt={name:"",redirectUris:Ge,postLogoutRedirectUris:Ge,devMode:!1,serviceUserId:""};function St({orgId:n}){let{management:t}=T(n),{apps:i}=d.value,o=de(P,U.value.get("kind")),[s,r]=I(),c=j({stored:Tt,async save({name:l,serviceUserId:m,...C}){let y=o??"web",{appType:E,authMethodType:X,grantTypes:Ve}=P[y],Ke={appType:E,authMethodType:X,grantTypes:[...Ve]},Ye={name:l,...Ke,...y==="service"?{serviceUserId:m}:C},{clientId:je,clientSecret:ze}=await t.addOIDCApp(Ye);return{name:l,kind:y,clientId:je,clientSecret:ze,redirectUri:C.redirectUris[0]??""}},done:({name:l})=>d.value.done.added(l),onSaved:r}),p=s?2:o?1:0,a=g({page:"app",orgId:n,id:N});return e(ue,{title:i.add,tools:e(ge,{title:i.title,path:g({page:"apps",orgId:n})}),children:[e(ve,{names:[i.steps.kind,i.steps.addresses,i.steps.connect],current:p,firstPath:s?void 0:a}),s?e(Et,{orgId:n,app:s}):o?e(At,{orgId:n,kind:o,form:c,backPath:a}):e(_t,{orgId:n})]})}function _t({orgId:n}){let{apps:t}=d.value,i=F(n,"user.write");return e("ul",{class:"cards large",children:ie.filter(o=>o!=="service"||i).map(o=>e("li",{children:e("a",{href:`${g({page:"app",orgId:n,id:N})}?kind=${o}`,children:[e("strong",{children:t.kinds[o].name}),e("span",{children:t.kinds[o].meaning})]})},o))})}function At({orgId:n,kind:t,form:i,backPath:o}){let{apps:s,orgs:r,colon:c}=d.value;return e(Y,{form:i,button:s.add,backPath:o,children:[e("p",{class:"quiet",children:[s.kinds[t].name,c," ",s.kinds[t].meaning]}),e(_,{label:r.name,hint:s.nameHint,...i.field("name"),isRequired:!0}),t==="service"?e(J,{orgId:n,...i.field("serviceUserId")}):e(u,{children:[e(oe,{kind:t,form:i}),e(f,{label:s.devMode,hint:s.devModeHint,...i.field("devMode")})]})]})}function Et({orgId:n,app:t}){let{apps:i}=d.value;return e(u,{children:[e("p",{children:i.added(t.name)}),e($,{...t}),e(W,{app:t}),e("div",{class:"buttons",children:e("a",{class:"button",href:g({page:"app",orgId:n,id:t.clientId}),children:i.toApp})})]})}function Ci({orgId:n}){let{management:t}=T(n),{apps:i,orgs:o}=d.value,s=U.value.get("q")??"",r=F(n,"org.app.write"),c=fe(`apps ${n} ${s}`,(p,a)=>t.listApps({query:p,queries:me(s)},{signal:a}),{asc:!1});return e(ye,{title:i.title,found:c,keyOf:({id:p})=>p,none:{text:s?i.noneFound:i.none},add:r&&{label:i.add,to:g({page:"app",orgId:n,id:N})},tools:e(Ce,{text:s,label:i.search}),columns:[[o.name,({id:p,name:a})=>e("a",{href:g({page:"app",orgId:n,id:p}),children:a})],[i.kind,({config:p})=>i.kinds[z(p.value?.appType)].name],[o.state,({state:p})=>e(V,{isActive:p===x.ACTIVE})],[o.created,({details:p})=>e(K,{at:p?.creationDate})],[i.clientId,({id:p})=>e(S,{text:p})]]})}export{ut as AppPage,Ci as AppsPage,St as NewAppPage};
