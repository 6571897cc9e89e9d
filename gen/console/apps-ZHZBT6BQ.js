import{a as Te}from"./chunk-G53E4CIA.js";import{a as E}from"./chunk-YXZTNOQN.js";import{i as _e}from"./chunk-X2LMLISN.js";import{c as Se}from"./chunk-VS6HTR4V.js";import{a as Ee}from"./chunk-G4KYMRDC.js";import{a as H,c as q,e as G}from"./chunk-ITEMTSLV.js";import"./chunk-WDIMU3HM.js";import"./chunk-EH32OKBW.js";import"./chunk-WRN5SWW6.js";import"./chunk-LLPEQLEN.js";import{a as he,d as ge,f as fe}from"./chunk-GEQXC5TU.js";import"./chunk-54HQDNNC.js";import{a as S,c as J,d as F,e as X,f as Z}from"./chunk-D6USQZVE.js";import"./chunk-4WHEEAUD.js";import"./chunk-S55N2AEH.js";import"./chunk-VFZ3YOHU.js";import{b as ye,c as Ce,d as ke}from"./chunk-YLDU43YE.js";import{c as _,e as Q,g as f,i as me}from"./chunk-YVTHPDRG.js";import"./chunk-ADVJKHJX.js";import{A as I,C as pe,D as R,E as y,K as P,X as W,Y as k,_ as D,a as u,aa as U,c as A,ha as le,ja as L,ka as M,l as e,oa as de,pa as ue,x as d,z as B}from"./chunk-744Z5L57.js";import{Q as ce,p as ae,q as v,r as x,s as C,t as $,u as O,v as N}from"./chunk-SMGMPJTH.js";import{t as se}from"./chunk-TJBVM427.js";function V({config:{value:t}}){return t??se(ae)}function je(t){return{paths:t.map(n=>n.replace(/[A-Z]/g,i=>`_${i.toLowerCase()}`))}}function w(t){let{orgId:n,app:i,mayChange:o,onChanged:r,title:s,names:c,children:p}=t,{management:a}=k(n),{id:l}=i,m=q({stored:B(V(i),c),isReadOnly:!o,onSaved:r,async latest(){let{app:h}=await a.getAppByID({appId:l});return h&&V(h)},save:(h,T)=>a.patchOIDCAppConfig({appId:l,...B(h,T),updateMask:je(T)})});return e(L,{title:s,children:e(H,{form:m,children:p(m)})})}function j({orgId:t,...n}){let{serviceUser:i,chooseMachine:o,noMachines:r}=d.value.apps;return e(Se,{label:i,placeholder:o,none:r,..._e(t,"machine"),...n})}var Ke=new Set(["wildcard","unencrypted"]),Ye=new Set(["localhost","127.0.0.1","[::1]"]);function Ae(t,n,i){let o=n==="native",r=/^[\x21-\x7e]+$/.test(t)?URL.parse(t):null;if(r===null)return"notAbsolute";if(t.includes("#"))return"fragment";if(r.username!==""||r.password!=="")return"userInfo";let s=Ye.has(r.hostname);if(r.protocol==="http:"){if(!i&&!(o&&s))return o?"httpsOrLoopback":"httpsOrDevMode";if(!s)return"unencrypted"}else if(r.protocol!=="https:"){let c=/^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/.test(r.protocol);if(!o||!c)return o?"httpsOrScheme":"https"}return t.includes("*")?"wildcard":void 0}function ve(t){return!Ke.has(t)}var ze=["redirectUris","postLogoutRedirectUris","additionalOrigins","backChannelLogoutUri","devMode"];function Re(t){let{apps:n}=d.value;return e(w,{...t,title:n.steps.addresses,names:ze,children:i=>e(u,{children:[e(ee,{kind:t.kind,form:i}),e(E,{label:n.origins,hint:n.originsHint,...i.field("additionalOrigins"),placeholder:"https://app.example.com"}),e(_,{label:n.backChannel,hint:n.backChannelHint,...i.field("backChannelLogoutUri")}),e(f,{label:n.devMode,hint:n.devModeHint,...i.field("devMode")})]})})}function ee({kind:t,form:n}){let{apps:i}=d.value,o=r=>{let s=Ae(r.trim(),t,n.values.devMode);return s&&{text:i.uriProblems[s],isRejected:ve(s)}};return e(u,{children:[e(E,{label:i.redirectUris,hint:i.redirectUrisHint,describe:o,placeholder:`${Ie[t]}signed-in`,...n.field("redirectUris")}),e(E,{label:i.signOutUris,hint:i.signOutUrisHint,describe:o,placeholder:`${Ie[t]}signed-out`,...n.field("postLogoutRedirectUris")})]})}var Ie={web:"https://app.example.com/",browser:"https://app.example.com/",native:"com.example.app:/",service:""};var we=[{path:"sign-in/express/server.js",text:`import { randomUUID } from "node:crypto";
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
`}];function Oe(t,n){return Be[t].map(({files:i,...o})=>({...o,files:i.map(r=>Je(r,n))}))}var $e=`SIGNET_URL=https://id.example.com
APP_ORIGIN=https://app.example.com
CLIENT_ID=YOUR_CLIENT_ID
CLIENT_SECRET=
# At least 32 random characters, which encrypt the cookies.
SESSION_SECRET=
`,Be={web:[g("Express","Node.js","sign-in/express",{npm:`npm install express openid-client
`}),g("Next.js","Node.js","nextjs",{npm:`npm install jose openid-client
`,".env.local":$e}),g("Spring Boot","Java","sign-in/spring",{"build.gradle":xe("spring-boot-starter-web","spring-boot-starter-oauth2-client")}),g("Flask","Python, Authlib","sign-in/flask",{pip:`pip install Authlib Flask requests
`}),g("go-oidc","Go","sign-in/go",{go:`go get github.com/coreos/go-oidc/v3 golang.org/x/oauth2
`}),g("curl","Shell","sign-in/curl")],browser:[g("oidc-client-ts","React, Vue, Svelte","sign-in/browser",{npm:`npm install oidc-client-ts
`})],native:[g("curl","Shell","sign-in/curl-device")],service:[g("curl","Shell","service/curl"),g("openid-client","Node.js","service/node",{npm:`npm install openid-client
`}),g("Spring Boot","Java","service/spring",{"build.gradle":xe("spring-boot-starter-oauth2-client","spring-boot-starter-json")}),g("Authlib","Python","service/python",{pip:`pip install Authlib requests
`}),g("oauth2","Go","service/go",{go:`go get golang.org/x/oauth2
`})]};function g(t,n,i,o={}){let r=we.filter(({path:s})=>s.startsWith(`${i}/`));return{name:t,platform:n,files:[...Object.entries(o).map(([s,c])=>({name:s,text:c})),...r.map(({path:s,text:c})=>({name:s.slice(i.length+1),text:c}))]}}function xe(...t){return t.map(n=>`implementation "org.springframework.boot:${n}"
`).join("")}var We=/https:\/\/id\.example\.com|YOUR_CLIENT_ID|https:\/\/app\.example\.com(?:\/signed-in)?|\/signed-in/g;function Je({name:t,text:n},{issuer:i,clientId:o,redirectUri:r}){let s=URL.parse(r),c=s?.pathname??"/signed-in",p={"https://id.example.com":i,YOUR_CLIENT_ID:o,"https://app.example.com/signed-in":r||void 0,"https://app.example.com":s?.origin,"/signed-in":c},a=n.replace(We,m=>p[m]??m);if(!t.includes("/signed-in/"))return{name:t,text:a};let l=`${"../".repeat(c.split("/").length)}lib/`;return{name:t.replace("/signed-in",c),text:a.replaceAll("../../lib/",l)}}var Xe={web:["authorization","token","userinfo","introspection","end_session"],browser:["authorization","token","userinfo","end_session"],native:["authorization","token","device_authorization","userinfo","end_session"],service:["token","introspection"]};function Ze({kind:t,clientId:n,clientSecret:i}){let{issuer:o}=W().settings,{apps:r}=d.value,s=`${o}/.well-known/openid-configuration`,c=D(`discovery ${o}`,async a=>await(await fetch(s,{signal:a})).json()),p=[...Xe[t].map(a=>`${a}_endpoint`),"jwks_uri"].flatMap(a=>{let l=c.value?.[a];return typeof l=="string"?[[a,l]]:[]});return e("div",{class:"panel",children:[i!==""&&e(F,{label:r.clientSecret,secret:i}),e(M,{facts:[[r.issuer,e(S,{text:o})],[r.clientId,e(S,{text:n})],[r.discovery,e(S,{text:s})],...p.map(([a,l])=>[e("code",{children:a},a),e(S,{text:l},a)])]})]})}function K({app:t}){let{issuer:n}=W().settings,{apps:i}=d.value,[o,r]=A(0),s=Oe(t.kind,{issuer:n,...t}),c=s[o]??s[0],p=t.kind==="web"||t.kind==="service";return e(u,{children:[e(Ze,{...t}),e("fieldset",{class:"tiles",children:[e("legend",{class:"spoken",children:i.frameworks}),s.map(({name:a,platform:l},m)=>e("button",{type:"button","aria-pressed":m===o,onClick:()=>r(m),children:[e("strong",{children:a}),e("span",{class:"small",children:l})]},a))]}),p&&e("p",{class:"hint",children:i.secretHint}),t.clientSecret&&e(J,{name:i.environment,text:`export CLIENT_SECRET=${t.clientSecret}
`}),c?.files.map(({name:a,text:l})=>e(J,{name:a,text:l,children:ot(a,l)},a))]})}var Qe=new Set(["async await break case catch class const continue def default else except export extends finally for from func","function if implements import in interface let new nil null None package private public raise return static struct","throw throws try type undefined var void while with yield True False true false"].flatMap(t=>t.split(" "))),et=/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/,tt=/(?<=^|\s)#.*/,nt=/\/\/.*|\/\*[\s\S]*?\*\//,it=/(?<![-.\w$@])[A-Za-z_$@][\w$]*/;function ot(t,n){let i=/\.(?:js|go|java)$/.test(t)?nt:tt,o=new RegExp(`(?<comment>${i.source})|(?<string>${et.source})|(?<word>${it.source})`,"gm"),r=[],s=0;for(let{0:c,index:p,groups:a={}}of n.matchAll(o)){let l=a.comment?"comment":a.string?"string":Qe.has(c)?"keyword":void 0;l!==void 0&&(r.push(n.slice(s,p),e("span",{class:l,children:c},p)),s=p+c.length)}return[...r,n.slice(s)]}var{OIDC_GRANT_TYPE_AUTHORIZATION_CODE:te,OIDC_GRANT_TYPE_REFRESH_TOKEN:ne}=v,{OIDC_AUTH_METHOD_TYPE_BASIC:be,OIDC_AUTH_METHOD_TYPE_NONE:Ne}=C,b={web:{appType:x.OIDC_APP_TYPE_WEB,authMethodType:be,grantTypes:[te,ne]},browser:{appType:x.OIDC_APP_TYPE_USER_AGENT,authMethodType:Ne,grantTypes:[te,ne]},native:{appType:x.OIDC_APP_TYPE_NATIVE,authMethodType:Ne,grantTypes:[te,ne,v.OIDC_GRANT_TYPE_DEVICE_CODE]},service:{appType:x.OIDC_APP_TYPE_SERVICE,authMethodType:be,grantTypes:[v.OIDC_GRANT_TYPE_CLIENT_CREDENTIALS]}},ie=I(b);function oe(t){return ie.find(n=>b[n].appType===t)??"web"}function Pe(t){return t==="browser"||t==="native"}var rt=["grantTypes","authMethodType","jwks","jwksUri","accessTokenType","idTokenUserinfoAssertion","idTokenSignedResponseAlg","apiAccess","serviceUserId","requiresPkce","requiresPar","dpopBoundAccessTokens"],De={RS256:O.OIDC_SIGNING_ALGORITHM_RS256,ES256:O.OIDC_SIGNING_ALGORITHM_ES256,EdDSA:O.OIDC_SIGNING_ALGORITHM_EDDSA,PS256:O.OIDC_SIGNING_ALGORITHM_PS256},re={basic:C.OIDC_AUTH_METHOD_TYPE_BASIC,post:C.OIDC_AUTH_METHOD_TYPE_POST,key:C.OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT,none:C.OIDC_AUTH_METHOD_TYPE_NONE},Ue={opaque:$.OIDC_TOKEN_TYPE_BEARER,jwt:$.OIDC_TOKEN_TYPE_JWT},{OIDC_GRANT_TYPE_REFRESH_TOKEN:st,OIDC_GRANT_TYPE_DEVICE_CODE:at}=v;function Me(t){let{kind:n,orgId:i,permissions:o}=t,{apps:r}=d.value;return e(w,{...t,title:r.tokens,names:rt,children:s=>e(u,{children:[n==="service"&&e(j,{orgId:i,...s.field("serviceUserId")}),e(pt,{kind:n,form:s}),e(me,{label:r.tokenType,options:I(Ue).map(c=>({value:c,...r.tokenTypes[c]})),...G(s.field("accessTokenType"),Ue,"opaque")}),n!=="service"&&e(ct,{kind:n,form:s}),e(f,{label:r.dpop,hint:r.dpopHint,...s.field("dpopBoundAccessTokens")}),e(f,{label:r.apiAccess,hint:r.apiAccessHint,...s.field("apiAccess"),isReadOnly:s.isReadOnly||!o.can("org.member.write")})]})})}function pt({kind:t,form:n}){let{apps:i}=d.value,o=G(n.field("authMethodType"),re,"basic"),r=I(re).filter(s=>s!=="none"||t==="web");return e(u,{children:[!Pe(t)&&e(Q,{label:i.authentication,options:r.map(s=>[s,i.methods[s]]),...o,onInput:s=>{o.onInput(s),s!=="key"&&n.set({jwks:"",jwksUri:""})}}),o.value==="key"&&e(u,{children:[e(_,{label:i.jwksUri,hint:i.jwksHint,...n.field("jwksUri")}),e(_,{label:i.jwks,...n.field("jwks")})]})]})}function ct({form:t}){let{apps:n}=d.value,i=t.values.authMethodType!==re.none;return e(u,{children:[i&&e(f,{label:n.pkce,hint:n.pkceHint,...t.field("requiresPkce")}),e(f,{label:n.par,hint:n.parHint,...t.field("requiresPar")}),e(f,{label:n.idTokenClaims,hint:n.idTokenClaimsHint,...t.field("idTokenUserinfoAssertion")}),e(Q,{label:n.idTokenAlgorithm,options:I(De).map(o=>[o,o]),...G(t.field("idTokenSignedResponseAlg"),De,"RS256")}),e(f,{label:n.refresh,hint:n.refreshHint,...Le(t.field("grantTypes"),st)}),e(f,{label:n.device,hint:n.deviceHint,...Le(t.field("grantTypes"),at)})]})}function Le({value:t,onInput:n,...i},o){let r=t.filter(s=>s!==o);return{...i,value:t.includes(o),onInput:s=>n(s?[...t,o]:r)}}var Fe=[],lt={name:"",redirectUris:Fe,postLogoutRedirectUris:Fe,devMode:!1,serviceUserId:""};function dt({orgId:t}){let{management:n}=k(t),{apps:i}=d.value,o=pe(b,P.value.get("kind")),[r,s]=A(),c=q({stored:lt,async save({name:a,serviceUserId:l,...m}){let h=o??"web",{appType:T,authMethodType:Y,grantTypes:z}=b[h],He={appType:T,authMethodType:Y,grantTypes:[...z]},qe={name:a,...He,...h==="service"?{serviceUserId:l}:m},{clientId:Ge,clientSecret:Ve}=await n.addOIDCApp(qe);return{name:a,kind:h,clientId:Ge,clientSecret:Ve,redirectUri:m.redirectUris[0]??""}},done:({name:a})=>d.value.done.added(a),onSaved:s}),p=r?2:o?1:0;return e(le,{title:i.add,tools:e(ue,{title:i.title,path:y({page:"apps",orgId:t})}),children:[e(Ee,{names:[i.steps.kind,i.steps.addresses,i.steps.connect],current:p,firstPath:r?void 0:y({page:"app",orgId:t,id:R})}),r?e(ht,{orgId:t,app:r}):o?e(mt,{orgId:t,kind:o,form:c}):e(ut,{orgId:t})]})}function ut({orgId:t}){let{apps:n}=d.value,i=U(t,"user.write");return e("ul",{class:"cards large",children:ie.filter(o=>o!=="service"||i).map(o=>e("li",{children:e("a",{href:`${y({page:"app",orgId:t,id:R})}?kind=${o}`,children:[e("strong",{children:n.kinds[o].name}),e("span",{children:n.kinds[o].meaning})]})},o))})}function mt({orgId:t,kind:n,form:i}){let{apps:o,orgs:r,colon:s}=d.value;return e(H,{form:i,button:o.add,backPath:y({page:"app",orgId:t,id:R}),children:[e("p",{class:"quiet",children:[o.kinds[n].name,s," ",o.kinds[n].meaning]}),e(_,{label:r.name,hint:o.nameHint,...i.field("name"),isRequired:!0}),n==="service"?e(j,{orgId:t,...i.field("serviceUserId")}):e(u,{children:[e(ee,{kind:n,form:i}),e(f,{label:o.devMode,hint:o.devModeHint,...i.field("devMode")})]})]})}function ht({orgId:t,app:n}){let{apps:i}=d.value;return e(u,{children:[e("p",{children:i.added(n.name)}),e(K,{app:n}),e("div",{class:"buttons",children:e("a",{class:"button",href:y({page:"app",orgId:t,id:n.clientId}),children:i.toApp})})]})}function Jn({orgId:t}){let{management:n}=k(t),{apps:i,orgs:o}=d.value,r=P.value.get("q")??"",s=U(t,"org.app.write"),c=he(`apps ${t} ${r}`,(p,a)=>n.listApps({query:p,queries:ce(r)},{signal:a}),{asc:!1});return e(ge,{title:i.title,found:c,keyOf:({id:p})=>p,none:{text:r?i.noneFound:i.none},add:s&&{label:i.add,to:y({page:"app",orgId:t,id:R})},tools:e(fe,{text:r,label:i.search}),columns:[[o.name,({id:p,name:a})=>e("a",{href:y({page:"app",orgId:t,id:p}),children:a})],[i.kind,({config:p})=>i.kinds[oe(p.value?.appType)].name],[o.state,({state:p})=>e(X,{isActive:p===N.ACTIVE})],[o.created,({details:p})=>e(Z,{at:p?.creationDate})],[i.clientId,({id:p})=>e(S,{text:p})]]})}function Xn({orgId:t,id:n,tab:i}){let{management:o}=k(t),{apps:r}=d.value,s=D(`app ${t} ${n}`,async p=>(await o.getAppByID({appId:n},{signal:p})).app),c={title:r.title,path:y({page:"apps",orgId:t})};return e(de,{orgId:t,kind:r.app,list:c,found:s,nameOf:({name:p})=>p,children:(p,a)=>e(gt,{orgId:t,app:p,permissions:a,tab:i,kind:oe(p.config.value?.appType),onChanged:s.reload,mayChange:ft(p,a)})})}function gt({tab:t,...n}){let{app:i,kind:o}=n,{apps:r,orgs:s}=d.value,c=o!=="service",[p=""]=V(i).redirectUris,[a,l]=A(""),m={name:i.name,kind:o,clientId:i.id,clientSecret:a,redirectUri:p};return e(u,{children:[e(M,{facts:[[s.state,e(X,{isActive:i.state===N.ACTIVE})],[r.kind,r.kinds[o].name],[s.created,e(Z,{at:i.details?.creationDate})]]}),a&&t&&e(F,{label:r.clientSecret,secret:a}),n.permissions.can("org.app.write")&&e(kt,{...n,onSecret:l}),e(Te,{tabs:[{name:"",title:r.connect,show:()=>e(L,{title:r.connect,children:e(K,{app:m})})},c&&{name:"addresses",title:r.steps.addresses,show:()=>e(Re,{...n})},{name:"tokens",title:r.tokens,show:()=>e(Me,{...n})},c&&{name:"roles",title:r.claims,show:()=>e(Tt,{...n})}]})]})}function ft(t,n){let{apiAccess:i=!1,serviceUserId:o=""}=t.config.value??{};return n.can("org.app.write")&&(!i||n.can("org.member.write"))&&(o===""||n.can("user.write"))}var{OIDC_AUTH_METHOD_TYPE_BASIC:yt,OIDC_AUTH_METHOD_TYPE_POST:Ct}=C;function kt({onSecret:t,...n}){let{orgId:i,app:o,mayChange:r,onChanged:s}=n,{management:c}=k(i),{apps:p,done:a}=d.value,{actions:l,clientSecret:m}=p,h={appId:o.id},T=o.config.value?.authMethodType,Y=async()=>t((await c.regenerateOIDCClientSecret(h)).clientSecret),z=[r&&(T===yt||T===Ct)&&{...l.newSecret,isDangerous:!0,change:Y,done:a.added(m)},ye(o.name,o.state===N.ACTIVE,{deactivate:{...l.deactivate,change:()=>c.deactivateApp(h)},reactivate:{...l.reactivate,change:()=>c.reactivateApp(h)}}),Ce({...l.remove,of:o.name,path:y({page:"apps",orgId:i}),change:()=>c.removeApp(h)})];return e(ke,{of:o.name,actions:z,onDone:s})}function Tt(t){let{apps:n}=d.value;return e(w,{...t,title:n.claims,names:["roles","metadataClaims"],children:i=>e(u,{children:[e(E,{label:n.roles,hint:n.rolesHint,...i.field("roles"),placeholder:"editor"}),e(E,{label:n.metadataClaims,hint:n.metadataClaimsHint,...i.field("metadataClaims"),placeholder:"plan"})]})})}export{Xn as AppPage,Jn as AppsPage,dt as NewAppPage};
