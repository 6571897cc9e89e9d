import{a as ve}from"./chunk-C25NLOLD.js";import{a as E}from"./chunk-YXJIF7RH.js";import{a as Ee}from"./chunk-SJJYQXAE.js";import{a as B,d as z,f as j}from"./chunk-BWBRCEMN.js";import{c as Te}from"./chunk-MFJ53BAH.js";import"./chunk-EH32OKBW.js";import{a as Se,d as ke,f as Ce}from"./chunk-2MOEIYFW.js";import"./chunk-TTZSX5YV.js";import"./chunk-LHJ6QNA2.js";import"./chunk-VFZ3YOHU.js";import{b as Ae}from"./chunk-L2WQKFLR.js";import{c as v,e as b,f as g}from"./chunk-C65N3YI5.js";import{a as T,b as ee,c as H,d as G,e as K}from"./chunk-NTQC3HWG.js";import"./chunk-NWD3ME77.js";import{$ as n,E as V,F as me,R as F,S as y,U as w,W as L,a as u,ca as fe,ea as q,fa as U,g as _,ga as he,ka as ge,l as de,la as ye,v as l,x as D,y as h}from"./chunk-LITXJXE3.js";import{N as ue,n as le,o as I,p as x,q as C,r as X,s as N,t as P}from"./chunk-CDLTL3ZM.js";import{aa as ce,t as pe}from"./chunk-WJ7KY3RR.js";var{OIDC_GRANT_TYPE_AUTHORIZATION_CODE:te,OIDC_GRANT_TYPE_REFRESH_TOKEN:ne}=I,{OIDC_AUTH_METHOD_TYPE_BASIC:_e,OIDC_AUTH_METHOD_TYPE_NONE:Ie}=C,$={web:{appType:x.OIDC_APP_TYPE_WEB,authMethodType:_e,grantTypes:[te,ne]},browser:{appType:x.OIDC_APP_TYPE_USER_AGENT,authMethodType:Ie,grantTypes:[te,ne]},native:{appType:x.OIDC_APP_TYPE_NATIVE,authMethodType:Ie,grantTypes:[te,ne,I.OIDC_GRANT_TYPE_DEVICE_CODE]},service:{appType:x.OIDC_APP_TYPE_SERVICE,authMethodType:_e,grantTypes:[I.OIDC_GRANT_TYPE_CLIENT_CREDENTIALS]}},oe=Object.keys($);function Y(e){return oe.find(t=>$[t].appType===e)??"web"}function we(e){return e!==null&&Object.hasOwn($,e)}function be(e){return e==="browser"||e==="native"}function M({config:{value:e}}){return e??pe(le)}function Oe(e){return{paths:e.map(t=>t.replace(/[A-Z]/g,o=>`_${o.toLowerCase()}`))}}function O(e){let{orgId:t,app:o,mayChange:i,onChanged:s,title:r,names:c,children:a}=e,{management:p}=y(t),d=j(M(o),c),m=z({stored:d,isReadOnly:!i,onSaved:s,async save(S,f){let{app:A}=await p.getAppByID({appId:o.id});de(A&&j(M(A),c),d,l.peek().apps.stale);let Q={appId:o.id,...j(S,f),updateMask:Oe(f)};await p.patchOIDCAppConfig(Q)}});return n(q,{title:r,children:n(B,{form:m,children:a(m)})})}var pt=new Set(["wildcard","unencrypted"]),ct=new Set(["localhost","127.0.0.1","[::1]"]);function Re(e,t,o){let i=t==="native",s=/^[\x21-\x7e]+$/.test(e)?URL.parse(e):null;if(s===null)return"notAbsolute";if(e.includes("#"))return"fragment";if(s.username!==""||s.password!=="")return"userInfo";let r=ct.has(s.hostname);if(s.protocol==="http:"){if(!o&&!(i&&r))return i?"httpsOrLoopback":"httpsOrDevMode";if(!r)return"unencrypted"}else if(s.protocol!=="https:"){let c=/^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/.test(s.protocol);if(!i||!c)return i?"httpsOrScheme":"https"}return e.includes("*")?"wildcard":void 0}function xe(e){return!pt.has(e)}var lt=["redirectUris","postLogoutRedirectUris","additionalOrigins","backChannelLogoutUri","devMode"];function Pe(e){let{apps:t}=l.value;return n(O,{...e,title:t.steps.addresses,names:lt,children:o=>n(u,{children:[n(ie,{kind:e.kind,form:o}),n(E,{label:t.origins,hint:t.originsHint,...o.field("additionalOrigins"),placeholder:"https://app.example.com"}),n(v,{label:t.backChannel,hint:t.backChannelHint,...o.field("backChannelLogoutUri")}),n(g,{label:t.devMode,hint:t.devModeHint,...o.field("devMode")})]})})}function ie({kind:e,form:t}){let{apps:o}=l.value,i=s=>{let r=Re(s.trim(),e,t.values.devMode);return r&&{text:o.uriProblems[r],isRejected:xe(r)}};return n(u,{children:[n(E,{label:o.redirectUris,hint:o.redirectUrisHint,describe:i,placeholder:`${Ne[e]}signed-in`,...t.field("redirectUris")}),n(E,{label:o.signOutUris,hint:o.signOutUrisHint,describe:i,placeholder:`${Ne[e]}signed-out`,...t.field("postLogoutRedirectUris")})]})}var Ne={web:"https://app.example.com/",browser:"https://app.example.com/",native:"com.example.app:/",service:""};var dt={web:["authorization","token","userinfo","introspection","end_session"],browser:["authorization","token","userinfo","end_session"],native:["authorization","token","device_authorization","userinfo","end_session"],service:["token","introspection"]};function W({kind:e,clientId:t,clientSecret:o}){let{issuer:i}=F().settings,{apps:s}=l.value,r=`${i}/.well-known/openid-configuration`,c=w(`discovery ${i}`,async p=>await(await fetch(r,{signal:p})).json()),a=[...dt[e].map(p=>`${p}_endpoint`),"jwks_uri"].flatMap(p=>{let d=c.value?.[p];return typeof d=="string"?[[p,d]]:[]});return n("div",{class:"panel",children:[n(U,{facts:[[s.issuer,n(T,{text:i})],[s.clientId,n(T,{text:t})]]}),o!==""&&n(H,{label:s.clientSecret,secret:o}),n(U,{facts:[[s.discovery,n(T,{text:r})],...a.map(([p,d])=>[n("code",{children:p},p),n(T,{text:d},p)])]})]})}function k({redirectUri:e}){return URL.parse(e)?.pathname??"/signed-in"}function R({redirectUri:e}){return URL.parse(e)?.origin??"https://app.example.com"}function De(e){let t=`import os

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session

app = Flask(__name__)
# At least 32 random characters, which sign the cookie.
app.secret_key = os.environ["SESSION_SECRET"]
oauth = OAuth(app)
oauth.register(
    "signet",
    client_id="${e.clientId}",
    client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url="${e.issuer}/.well-known/openid-configuration",
    client_kwargs={"scope": "openid profile email", "code_challenge_method": "S256"},
)


@app.get("/me")
def me():
    return session.get("user") or '<a href="/sign-in">Sign in</a>'


@app.get("/sign-in")
def sign_in():
    return oauth.signet.authorize_redirect("${e.redirectUri}")


@app.get("${k(e)}")
def signed_in():
    oauth.signet.authorize_access_token()
    session["user"] = dict(oauth.signet.userinfo())
    return redirect("/me")
`;return{name:"Flask",platform:"Python, Authlib",files:[{name:"pip",text:`pip install Authlib Flask requests
`},{name:"app.py",text:t}]}}function Ue({issuer:e,clientId:t}){let o=`import os

from authlib.integrations.requests_client import OAuth2Session

session = OAuth2Session("${t}", os.environ["CLIENT_SECRET"])
token = session.fetch_token("${e}/oauth/v2/token", grant_type="client_credentials")
print(token["access_token"])
`;return{name:"Authlib",platform:"Python",files:[{name:"pip",text:`pip install Authlib requests
`},{name:"service.py",text:o}]}}function $e({issuer:e,clientId:t,redirectUri:o}){let i=`import { UserManager } from "oidc-client-ts";

const signet = new UserManager({
  authority: "${e}",
  client_id: "${t}",
  redirect_uri: "${o}",
  scope: "openid profile email",
});

if (location.href.startsWith("${o}?")) {
  const user = await signet.signinCallback();
  console.log(user.profile.sub);
} else {
  await signet.signinRedirect();
}
`;return{name:"oidc-client-ts",platform:"React, Vue, Svelte",files:[{name:"npm",text:`npm install oidc-client-ts
`},{name:"sign-in.js",text:i}]}}function Me({issuer:e,clientId:t}){let o=e.startsWith("http:")?`
  // Only on the local machine.
  { execute: [client.allowInsecureRequests] },`:"",i=`import * as client from "openid-client";

const signet = await client.discovery(
  new URL("${e}"),
  "${t}",
  undefined,
  client.ClientSecretBasic(process.env.CLIENT_SECRET),${o}
);
const tokens = await client.clientCredentialsGrant(signet);
console.log(tokens.access_token);
`;return{name:"openid-client",platform:"Node.js",files:[{name:"npm",text:`npm install openid-client
`},{name:"service.js",text:i}]}}function Ve({issuer:e,clientId:t}){return{name:"curl",platform:"Shell",files:[{name:"sh",text:`# The endpoints.
curl -sS --fail-with-body ${e}/.well-known/openid-configuration

# Whether an access token is valid, and for whom.
curl -sS --fail-with-body ${e}/oauth/v2/introspect --user "${t}:$CLIENT_SECRET" --data-urlencode "token=$ACCESS_TOKEN"
`}]}}function Fe({issuer:e,clientId:t}){return{name:"curl",platform:"Shell",files:[{name:"sh",text:`# Open verification_uri_complete of the response in a browser, and sign in.
curl -sS --fail-with-body ${e}/oauth/v2/device_authorization -d client_id=${t} -d scope=openid

# Then get the tokens with device_code of the response.
curl -sS --fail-with-body ${e}/oauth/v2/token -d client_id=${t} -d "device_code=$DEVICE_CODE" -d grant_type=urn:ietf:params:oauth:grant-type:device_code
`}]}}function Le({issuer:e,clientId:t}){return{name:"curl",platform:"Shell",files:[{name:"sh",text:`curl -sS --fail-with-body ${e}/oauth/v2/token --user "${t}:$CLIENT_SECRET" -d grant_type=client_credentials
`}]}}function qe(e){let{issuer:t,clientId:o,redirectUri:i}=e,s=R(e),r=t.startsWith("http:")?`
  // Only on the local machine.
  { execute: [client.allowInsecureRequests] },`:"",c=s.startsWith("https:"),a=`import { randomUUID } from "node:crypto";
import express from "express";
import * as client from "openid-client";

const signet = await client.discovery(
  new URL("${t}"),
  "${o}",
  undefined,
  client.ClientSecretBasic(process.env.CLIENT_SECRET),${r}
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
    redirect_uri: "${i}",
    scope: "openid profile email",
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
    state: attempt.state,
    nonce: attempt.nonce,
  });
  begin(response, { attempt }).redirect(303, url.href);
});

app.get("${k(e)}", async (request, response) => {
  const attempt = sessionOf(request)?.attempt;
  if (attempt === undefined) return response.status(400).send("The sign-in began in another browser.");
  const tokens = await client.authorizationCodeGrant(signet, new URL(request.url, "${s}"), {
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
  return response.cookie("session", id, { httpOnly: true, sameSite: "lax", secure: ${c} });
}

function sessionOf(request) {
  const [, id] = /(?:^|; )session=([\\w-]+)/.exec(request.headers.cookie ?? "") ?? [];
  return sessions.get(id);
}

app.listen(process.env.PORT ?? 3000);
`;return{name:"Express",platform:"Node.js",files:[{name:"npm",text:`npm install express openid-client
`},{name:"server.js",text:a}]}}function He(e){let t=R(e).startsWith("https:"),o=`package main

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

func main() {
	provider, err := oidc.NewProvider(context.Background(), "${e.issuer}")
	if err != nil {
		log.Fatal(err)
	}
	config := oauth2.Config{
		ClientID:     "${e.clientId}",
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  "${e.redirectUri}",
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})

	http.HandleFunc("GET /sign-in", func(response http.ResponseWriter, request *http.Request) {
		state, nonce, code := rand.Text(), rand.Text(), oauth2.GenerateVerifier()
		keep(response, strings.Join([]string{state, nonce, code}, "."), 3600)
		address := config.AuthCodeURL(state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(code))
		http.Redirect(response, request, address, http.StatusSeeOther)
	})

	http.HandleFunc("GET ${k(e)}", func(response http.ResponseWriter, request *http.Request) {
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
		Path: "/", HttpOnly: true, Secure: ${t}, SameSite: http.SameSiteLaxMode,
	})
}
`;return{name:"go-oidc",platform:"Go",files:[{name:"go",text:`go get github.com/coreos/go-oidc/v3 golang.org/x/oauth2
`},{name:"main.go",text:o}]}}function Ge({issuer:e,clientId:t}){let o=`package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"golang.org/x/oauth2/clientcredentials"
)

func main() {
	config := clientcredentials.Config{
		ClientID:     "${t}",
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		TokenURL:     "${e}/oauth/v2/token",
	}
	token, err := config.Token(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(token.AccessToken)
}
`;return{name:"oauth2",platform:"Go",files:[{name:"go",text:`go get golang.org/x/oauth2
`},{name:"main.go",text:o}]}}function Ke(e){let t=k(e),o=`SIGNET_URL=${e.issuer}
APP_ORIGIN=${R(e)}
CLIENT_ID=${e.clientId}
CLIENT_SECRET=
# At least 32 random characters, which encrypt the cookies.
SESSION_SECRET=
`;return{name:"Next.js",platform:"Node.js",files:[{name:"npm",text:`npm install jose openid-client
`},{name:".env.local",text:o},{name:"lib/signet.js",text:ut.replaceAll("/signed-in",t)},{name:"lib/sealed-cookie.js",text:ft},{name:"app/sign-in/route.js",text:ht.replaceAll("/signed-in",t)},{name:`app${t}/route.js`,text:mt(gt.replaceAll("/signed-in",t),t)}]}}function mt(e,t){return e.replaceAll("../../lib/",`${"../".repeat(t.split("/").length)}lib/`)}var ut=`import * as client from "openid-client";

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
`,ft=`import { createHash } from "node:crypto";
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
`,ht=`import { NextResponse } from "next/server";
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
`,gt=`import { NextResponse } from "next/server";
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
`;function Be(e){let{issuer:t,clientId:o,redirectUri:i}=e,s=`spring:
  security:
    oauth2:
      client:
        registration:
          signet:
            client-id: ${o}
            client-secret: \${CLIENT_SECRET}
            authorization-grant-type: authorization_code
            redirect-uri: ${i}
            scope: openid, profile, email
        provider:
          signet:
            issuer-uri: ${t}
`,r=`package com.example;

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
            .redirectionEndpoint(endpoint -> endpoint.baseUri("${k(e)}")))
        .build();
  }
}
`;return{name:"Spring Boot",platform:"Java",files:[{name:"build.gradle",text:je("spring-boot-starter-web","spring-boot-starter-oauth2-client")},{name:"application.yml",text:s},{name:"SecurityConfiguration.java",text:r}]}}function ze({issuer:e,clientId:t}){let o=`spring:
  security:
    oauth2:
      client:
        registration:
          signet:
            client-id: ${t}
            client-secret: \${CLIENT_SECRET}
            authorization-grant-type: client_credentials
        provider:
          signet:
            token-uri: ${e}/oauth/v2/token
`;return{name:"Spring Boot",platform:"Java",files:[{name:"build.gradle",text:je("spring-boot-starter-oauth2-client","spring-boot-starter-json")},{name:"application.yml",text:o},{name:"PrintToken.java",text:`package com.example;

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
`}]}}function je(...e){return e.map(t=>`implementation "org.springframework.boot:${t}"
`).join("")}var Ye={web:[qe,Ke,Be,De,He,Ve],browser:[$e],native:[Fe],service:[Le,Me,ze,Ue,Ge]};var yt=new Set(["async await break case catch class const continue def default else except export extends finally for from func","function if implements import in interface let new nil null None package private public raise return static struct","throw throws try type undefined var void while with yield True False true false"].flatMap(e=>e.split(" "))),St=/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/,kt=/(?<=^|\s)#.*/,Ct=/\/\/.*|\/\*[\s\S]*?\*\//,At=/(?<![-.\w$@])[A-Za-z_$@][\w$]*/;function We(e,t){let o=/\.(?:js|go|java)$/.test(e)?Ct:kt,i=new RegExp(`(?<comment>${o.source})|(?<string>${St.source})|(?<word>${At.source})`,"gm"),s=[],r=0;for(let{0:c,index:a,groups:p={}}of t.matchAll(i)){let d=p.comment?"comment":p.string?"string":yt.has(c)?"keyword":void 0;d!==void 0&&(s.push(t.slice(r,a),n("span",{class:d,children:c},a)),r=a+c.length)}return[...s,t.slice(r)]}function J({app:e}){let{issuer:t}=F().settings,{apps:o}=l.value,[i,s]=_(0),r=Ye[e.kind].map(p=>p({issuer:t,...e})),c=r[i]??r[0],a=e.kind==="web"||e.kind==="service";return n(u,{children:[n("fieldset",{class:"tiles",children:[n("legend",{class:"spoken",children:o.frameworks}),r.map(({name:p,platform:d},m)=>n("button",{type:"button","aria-pressed":m===i,onClick:()=>s(m),children:[n("strong",{children:p}),n("span",{class:"small",children:d})]},p))]}),a&&n("p",{class:"hint",children:o.secretHint}),e.clientSecret&&n(ee,{name:o.environment,text:`export CLIENT_SECRET=${e.clientSecret}
`}),c?.files.map(({name:p,text:d})=>n(ee,{name:p,text:d,children:We(p,d)},p))]})}var Tt=200;function Z({orgId:e,...t}){let{value:o}=t,{management:i}=y(e),{apps:s}=l.value,r=w(`machines ${e}`,async d=>{let m=[{query:{case:"typeQuery",value:{type:ce.MACHINE}}}],{result:S}=await i.listUsers({query:{limit:Tt},queries:m},{signal:d});return S.map(f=>[f.id,`${Te(f)} (${f.userName})`])}),c=r.value??[],a=o===""||c.some(([d])=>d===o),p=[o,o];return n(u,{children:[n(he,{problem:r.problem,onRetry:r.reload}),n(b,{label:s.serviceUser,...t,options:[["",s.chooseMachine],...c,...a?[]:[p]],hint:r.value?.length===0?s.noMachines:void 0})]})}var vt=["grantTypes","authMethodType","jwks","jwksUri","accessTokenType","idTokenUserinfoAssertion","idTokenSignedResponseAlg","apiAccess","serviceUserId","requiresPkce","requiresPar","dpopBoundAccessTokens"],Je={RS256:N.OIDC_SIGNING_ALGORITHM_RS256,ES256:N.OIDC_SIGNING_ALGORITHM_ES256,EdDSA:N.OIDC_SIGNING_ALGORITHM_EDDSA,PS256:N.OIDC_SIGNING_ALGORITHM_PS256},re={basic:C.OIDC_AUTH_METHOD_TYPE_BASIC,post:C.OIDC_AUTH_METHOD_TYPE_POST,key:C.OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT,none:C.OIDC_AUTH_METHOD_TYPE_NONE},Ze={opaque:X.OIDC_TOKEN_TYPE_BEARER,jwt:X.OIDC_TOKEN_TYPE_JWT},{OIDC_GRANT_TYPE_REFRESH_TOKEN:Et,OIDC_GRANT_TYPE_DEVICE_CODE:_t}=I;function Xe(e){let{kind:t,orgId:o,permissions:i}=e,{apps:s}=l.value;return n(O,{...e,title:s.tokens,names:vt,children:r=>n(u,{children:[t==="service"&&n(Z,{orgId:o,...r.field("serviceUserId")}),n(It,{kind:t,form:r}),n(b,{label:s.tokenType,options:et(Ze,s.tokenTypes),...se(r.field("accessTokenType"),Ze,"opaque")}),t!=="service"&&n(wt,{kind:t,form:r}),n(g,{label:s.dpop,hint:s.dpopHint,...r.field("dpopBoundAccessTokens")}),n(g,{label:s.apiAccess,hint:s.apiAccessHint,...r.field("apiAccess"),isReadOnly:r.isReadOnly||!i.can("org.member.write")})]})})}function It({kind:e,form:t}){let{apps:o}=l.value,i=se(t.field("authMethodType"),re,"basic"),s=et(re,o.methods).filter(([r])=>r!=="none"||e==="web");return n(u,{children:[!be(e)&&n(b,{label:o.authentication,options:s,...i,onInput:r=>{i.onInput(r),r!=="key"&&t.set({jwks:"",jwksUri:""})}}),i.value==="key"&&n(u,{children:[n(v,{label:o.jwksUri,hint:o.jwksHint,...t.field("jwksUri")}),n(v,{label:o.jwks,...t.field("jwks")})]})]})}function wt({form:e}){let{apps:t}=l.value,o=e.values.authMethodType!==re.none;return n(u,{children:[o&&n(g,{label:t.pkce,hint:t.pkceHint,...e.field("requiresPkce")}),n(g,{label:t.par,hint:t.parHint,...e.field("requiresPar")}),n(g,{label:t.idTokenClaims,hint:t.idTokenClaimsHint,...e.field("idTokenUserinfoAssertion")}),n(b,{label:t.idTokenAlgorithm,options:ae(Je).map(i=>[i,i]),...se(e.field("idTokenSignedResponseAlg"),Je,"RS256")}),n(g,{label:t.refresh,hint:t.refreshHint,...Qe(e.field("grantTypes"),Et)}),n(g,{label:t.device,hint:t.deviceHint,...Qe(e.field("grantTypes"),_t)})]})}function Qe({value:e,onInput:t,...o},i){let s=e.filter(r=>r!==i);return{...o,value:e.includes(i),onInput:r=>t(r?[...e,i]:s)}}function se({value:e,onInput:t,...o},i,s){let r=ae(i).find(c=>i[c]===e)??s;return{...o,value:r,onInput:c=>t(i[c])}}function ae(e){return Object.keys(e)}function et(e,t){return ae(e).map(o=>[o,t[o]])}function bt({orgId:e,id:t,tab:o}){let{management:i}=y(e),{apps:s}=l.value,r=w(`app ${e} ${t}`,async a=>(await i.getAppByID({appId:t},{signal:a})).app),c={title:s.title,path:h({page:"apps",orgId:e})};return n(ge,{orgId:e,kind:s.app,list:c,found:r,nameOf:({name:a})=>a,children:(a,p)=>n(Ot,{orgId:e,app:a,permissions:p,tab:o,kind:Y(a.config.value?.appType),onChanged:r.reload,mayChange:Rt(a,p)})})}function Ot({tab:e,...t}){let{orgId:o,app:i,kind:s}=t,{apps:r,orgs:c,user:a}=l.value,p=s!=="service",[d=""]=M(i).redirectUris,[m,S]=_(""),f={name:i.name,kind:s,clientId:i.id,clientSecret:m,redirectUri:d};return n(u,{children:[n(U,{facts:[[c.state,n(G,{isActive:i.state===P.ACTIVE})],[r.kind,r.kinds[s].name],[c.created,n(K,{at:i.details?.creationDate})]]}),m&&e&&n(H,{label:r.clientSecret,secret:m}),t.permissions.can("org.app.write")&&n(Pt,{...t,onSecret:S}),n(ve,{label:a.tabs.label,path:h({page:"app",orgId:o,id:i.id}),current:e,tabs:[{name:"",title:r.connect,show:()=>n(q,{title:r.connect,children:[n(W,{...f}),n(J,{app:f})]})},p&&{name:"addresses",title:r.steps.addresses,show:()=>n(Pe,{...t})},{name:"tokens",title:r.tokens,show:()=>n(Xe,{...t})},p&&{name:"roles",title:r.claims,show:()=>n(Dt,{...t})}]})]})}function Rt(e,t){let{apiAccess:o=!1,serviceUserId:i=""}=e.config.value??{};return t.can("org.app.write")&&(!o||t.can("org.member.write"))&&(i===""||t.can("user.write"))}var{OIDC_AUTH_METHOD_TYPE_BASIC:xt,OIDC_AUTH_METHOD_TYPE_POST:Nt}=C;function Pt({orgId:e,app:t,mayChange:o,onChanged:i,onSecret:s}){let{management:r}=y(e),{apps:c,done:a}=l.value,{actions:p,clientSecret:d}=c,m={appId:t.id},S=t.config.value?.authMethodType,f=async()=>s((await r.regenerateOIDCClientSecret(m)).clientSecret),A=[o&&(S===xt||S===Nt)&&{...p.newSecret,isDangerous:!0,change:f,done:a.added(d)},t.state===P.ACTIVE?{...p.deactivate,isDangerous:!0,done:a.deactivated(t.name),change:()=>r.deactivateApp(m)}:{...p.reactivate,done:a.reactivated(t.name),change:()=>r.reactivateApp(m)},{...p.remove,isFinal:!0,change:()=>r.removeApp(m),done:a.removed(t.name),onDone:()=>me(h({page:"apps",orgId:e}))}];return n(Ae,{of:t.name,actions:A,onDone:i})}function Dt(e){let{apps:t}=l.value;return n(O,{...e,title:t.claims,names:["roles","metadataClaims"],children:o=>n(u,{children:[n(E,{label:t.roles,hint:t.rolesHint,...o.field("roles"),placeholder:"editor"}),n(E,{label:t.metadataClaims,hint:t.metadataClaimsHint,...o.field("metadataClaims"),placeholder:"plan"})]})})}var tt=[],Ut={name:"",redirectUris:tt,postLogoutRedirectUris:tt,devMode:!1,serviceUserId:""};function $t({orgId:e}){let{management:t}=y(e),{apps:o}=l.value,i=V.value.get("kind"),s=we(i)?i:void 0,[r,c]=_(),a=z({stored:Ut,async save({name:m,serviceUserId:S,...f}){let A=s??"web",{appType:Q,authMethodType:nt,grantTypes:ot}=$[A],it={appType:Q,authMethodType:nt,grantTypes:[...ot]},rt={name:m,...it,...A==="service"?{serviceUserId:S}:f},{clientId:st,clientSecret:at}=await t.addOIDCApp(rt);return{name:m,kind:A,clientId:st,clientSecret:at,redirectUri:f.redirectUris[0]??""}},done:({name:m})=>l.value.done.added(m),onSaved:c}),p=r?2:s?1:0,d=h({page:"app",orgId:e,id:D});return n(fe,{title:o.add,tools:n(ye,{title:o.title,path:h({page:"apps",orgId:e})}),children:[n(Ee,{names:[o.steps.kind,o.steps.addresses,o.steps.connect],current:p,firstPath:r?void 0:d}),r?n(Ft,{orgId:e,app:r}):s?n(Vt,{orgId:e,kind:s,form:a,backPath:d}):n(Mt,{orgId:e})]})}function Mt({orgId:e}){let{apps:t}=l.value,o=L(e,"user.write");return n("ul",{class:"cards large",children:oe.filter(i=>i!=="service"||o).map(i=>n("li",{children:n("a",{href:`${h({page:"app",orgId:e,id:D})}?kind=${i}`,children:[n("strong",{children:t.kinds[i].name}),n("span",{children:t.kinds[i].meaning})]})},i))})}function Vt({orgId:e,kind:t,form:o,backPath:i}){let{apps:s,orgs:r,colon:c}=l.value;return n(B,{form:o,button:s.add,backPath:i,children:[n("p",{class:"quiet",children:[s.kinds[t].name,c," ",s.kinds[t].meaning]}),n(v,{label:r.name,hint:s.nameHint,...o.field("name"),isRequired:!0}),t==="service"?n(Z,{orgId:e,...o.field("serviceUserId")}):n(u,{children:[n(ie,{kind:t,form:o}),n(g,{label:s.devMode,hint:s.devModeHint,...o.field("devMode")})]})]})}function Ft({orgId:e,app:t}){let{apps:o}=l.value;return n(u,{children:[n("p",{children:o.added(t.name)}),n(W,{...t}),n(J,{app:t}),n("div",{class:"buttons",children:n("a",{class:"button",href:h({page:"app",orgId:e,id:t.clientId}),children:o.toApp})})]})}function si({orgId:e}){let{management:t}=y(e),{apps:o,orgs:i}=l.value,s=V.value.get("q")??"",r=L(e,"org.app.write"),c=Se(`apps ${e} ${s}`,(a,p)=>t.listApps({query:a,queries:ue(s)},{signal:p}),{asc:!1});return n(ke,{title:o.title,found:c,keyOf:({id:a})=>a,none:{text:s?o.noneFound:o.none},add:r&&{label:o.add,to:h({page:"app",orgId:e,id:D})},tools:n(Ce,{text:s,label:o.search}),columns:[[i.name,({id:a,name:p})=>n("a",{href:h({page:"app",orgId:e,id:a}),children:p})],[o.kind,({config:a})=>o.kinds[Y(a.value?.appType)].name],[i.state,({state:a})=>n(G,{isActive:a===P.ACTIVE})],[i.created,({details:a})=>n(K,{at:a?.creationDate})],[o.clientId,({id:a})=>n(T,{text:a})]]})}export{bt as AppPage,si as AppsPage,$t as NewAppPage};
