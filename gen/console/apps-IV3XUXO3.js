import{a as we}from"./chunk-QPZ2PECI.js";import{a as _e}from"./chunk-ZUTPX6BJ.js";import{a as v}from"./chunk-7K5W5WS3.js";import{a as Ie}from"./chunk-Y6QUG4KX.js";import{a as j,d as Y}from"./chunk-XTYAIFKR.js";import{c as ve}from"./chunk-WDIMU3HM.js";import"./chunk-EH32OKBW.js";import{a as Ce,d as Ae,f as Te}from"./chunk-GF4PTNHD.js";import"./chunk-BEVAKSON.js";import"./chunk-EYD7BOAK.js";import"./chunk-VFZ3YOHU.js";import{b as Ee}from"./chunk-HJX5R2VB.js";import{c as E,e as z,f as g}from"./chunk-5XPZE2FF.js";import{a as T,b as ne,c as G,d as K,e as B}from"./chunk-TIWU2TSA.js";import"./chunk-S55N2AEH.js";import{A as P,B as me,C as fe,D,E as h,K as F,L as he,X as V,Y as S,_ as L,a as f,aa as q,c as w,ga as ye,ia as H,ja as U,l as n,n as ue,oa as Se,pa as ke,x as l,z as M}from"./chunk-SWHX3DXF.js";import{Q as ge,p as de,q as I,r as O,s as A,t as te,u as x,v as N}from"./chunk-SMGMPJTH.js";import{ba as le,t as ce}from"./chunk-TJBVM427.js";var{OIDC_GRANT_TYPE_AUTHORIZATION_CODE:oe,OIDC_GRANT_TYPE_REFRESH_TOKEN:ie}=I,{OIDC_AUTH_METHOD_TYPE_BASIC:be,OIDC_AUTH_METHOD_TYPE_NONE:Re}=A,$={web:{appType:O.OIDC_APP_TYPE_WEB,authMethodType:be,grantTypes:[oe,ie]},browser:{appType:O.OIDC_APP_TYPE_USER_AGENT,authMethodType:Re,grantTypes:[oe,ie]},native:{appType:O.OIDC_APP_TYPE_NATIVE,authMethodType:Re,grantTypes:[oe,ie,I.OIDC_GRANT_TYPE_DEVICE_CODE]},service:{appType:O.OIDC_APP_TYPE_SERVICE,authMethodType:be,grantTypes:[I.OIDC_GRANT_TYPE_CLIENT_CREDENTIALS]}},re=P($);function W(e){return re.find(t=>$[t].appType===e)??"web"}function Oe(e){return e==="browser"||e==="native"}function J({config:{value:e}}){return e??ce(de)}function at(e){return{paths:e.map(t=>t.replace(/[A-Z]/g,o=>`_${o.toLowerCase()}`))}}function b(e){let{orgId:t,app:o,mayChange:i,onChanged:r,title:s,names:c,children:p}=e,{management:a}=S(t),d=M(J(o),c),m=Y({stored:d,isReadOnly:!i,onSaved:r,async save(C,y){let{app:_}=await a.getAppByID({appId:o.id});ue(_&&M(J(_),c),d,l.peek().apps.stale);let ee={appId:o.id,...M(C,y),updateMask:at(y)};await a.patchOIDCAppConfig(ee)}});return n(H,{title:s,children:n(j,{form:m,children:p(m)})})}var pt=new Set(["wildcard","unencrypted"]),ct=new Set(["localhost","127.0.0.1","[::1]"]);function xe(e,t,o){let i=t==="native",r=/^[\x21-\x7e]+$/.test(e)?URL.parse(e):null;if(r===null)return"notAbsolute";if(e.includes("#"))return"fragment";if(r.username!==""||r.password!=="")return"userInfo";let s=ct.has(r.hostname);if(r.protocol==="http:"){if(!o&&!(i&&s))return i?"httpsOrLoopback":"httpsOrDevMode";if(!s)return"unencrypted"}else if(r.protocol!=="https:"){let c=/^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/.test(r.protocol);if(!i||!c)return i?"httpsOrScheme":"https"}return e.includes("*")?"wildcard":void 0}function Ne(e){return!pt.has(e)}var lt=["redirectUris","postLogoutRedirectUris","additionalOrigins","backChannelLogoutUri","devMode"];function De(e){let{apps:t}=l.value;return n(b,{...e,title:t.steps.addresses,names:lt,children:o=>n(f,{children:[n(se,{kind:e.kind,form:o}),n(v,{label:t.origins,hint:t.originsHint,...o.field("additionalOrigins"),placeholder:"https://app.example.com"}),n(E,{label:t.backChannel,hint:t.backChannelHint,...o.field("backChannelLogoutUri")}),n(g,{label:t.devMode,hint:t.devModeHint,...o.field("devMode")})]})})}function se({kind:e,form:t}){let{apps:o}=l.value,i=r=>{let s=xe(r.trim(),e,t.values.devMode);return s&&{text:o.uriProblems[s],isRejected:Ne(s)}};return n(f,{children:[n(v,{label:o.redirectUris,hint:o.redirectUrisHint,describe:i,placeholder:`${Pe[e]}signed-in`,...t.field("redirectUris")}),n(v,{label:o.signOutUris,hint:o.signOutUrisHint,describe:i,placeholder:`${Pe[e]}signed-out`,...t.field("postLogoutRedirectUris")})]})}var Pe={web:"https://app.example.com/",browser:"https://app.example.com/",native:"com.example.app:/",service:""};var dt={web:["authorization","token","userinfo","introspection","end_session"],browser:["authorization","token","userinfo","end_session"],native:["authorization","token","device_authorization","userinfo","end_session"],service:["token","introspection"]};function X({kind:e,clientId:t,clientSecret:o}){let{issuer:i}=V().settings,{apps:r}=l.value,s=`${i}/.well-known/openid-configuration`,c=L(`discovery ${i}`,async a=>await(await fetch(s,{signal:a})).json()),p=[...dt[e].map(a=>`${a}_endpoint`),"jwks_uri"].flatMap(a=>{let d=c.value?.[a];return typeof d=="string"?[[a,d]]:[]});return n("div",{class:"panel",children:[n(U,{facts:[[r.issuer,n(T,{text:i})],[r.clientId,n(T,{text:t})]]}),o!==""&&n(G,{label:r.clientSecret,secret:o}),n(U,{facts:[[r.discovery,n(T,{text:s})],...p.map(([a,d])=>[n("code",{children:a},a),n(T,{text:d},a)])]})]})}function u(e,t,o){return{name:e,platform:t,files:Object.entries(o).map(([i,r])=>({name:i,text:r}))}}function k({redirectUri:e}){return URL.parse(e)?.pathname??"/signed-in"}function R({redirectUri:e}){return URL.parse(e)?.origin??"https://app.example.com"}function Ue(e){let t=`import os

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
`;return u("Flask","Python, Authlib",{pip:`pip install Authlib Flask requests
`,"app.py":t})}function $e({issuer:e,clientId:t}){let o=`import os

from authlib.integrations.requests_client import OAuth2Session

session = OAuth2Session("${t}", os.environ["CLIENT_SECRET"])
token = session.fetch_token("${e}/oauth/v2/token", grant_type="client_credentials")
print(token["access_token"])
`;return u("Authlib","Python",{pip:`pip install Authlib requests
`,"service.py":o})}function Me({issuer:e,clientId:t,redirectUri:o}){let i=`import { UserManager } from "oidc-client-ts";

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
`;return u("oidc-client-ts","React, Vue, Svelte",{npm:`npm install oidc-client-ts
`,"sign-in.js":i})}function Fe({issuer:e,clientId:t}){let o=e.startsWith("http:")?`
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
`;return u("openid-client","Node.js",{npm:`npm install openid-client
`,"service.js":i})}function Ve({issuer:e,clientId:t}){let o=`# The endpoints.
curl -sS --fail-with-body ${e}/.well-known/openid-configuration

# Whether an access token is valid, and for whom.
curl -sS --fail-with-body ${e}/oauth/v2/introspect --user "${t}:$CLIENT_SECRET" --data-urlencode "token=$ACCESS_TOKEN"
`;return u("curl","Shell",{sh:o})}function Le({issuer:e,clientId:t}){let o=`# Open verification_uri_complete of the response in a browser, and sign in.
curl -sS --fail-with-body ${e}/oauth/v2/device_authorization -d client_id=${t} -d scope=openid

# Then get the tokens with device_code of the response.
curl -sS --fail-with-body ${e}/oauth/v2/token -d client_id=${t} -d "device_code=$DEVICE_CODE" -d grant_type=urn:ietf:params:oauth:grant-type:device_code
`;return u("curl","Shell",{sh:o})}function qe({issuer:e,clientId:t}){let o=`curl -sS --fail-with-body ${e}/oauth/v2/token --user "${t}:$CLIENT_SECRET" -d grant_type=client_credentials
`;return u("curl","Shell",{sh:o})}function He(e){let{issuer:t,clientId:o,redirectUri:i}=e,r=R(e),s=t.startsWith("http:")?`
  // Only on the local machine.
  { execute: [client.allowInsecureRequests] },`:"",c=r.startsWith("https:"),p=`import { randomUUID } from "node:crypto";
import express from "express";
import * as client from "openid-client";

const signet = await client.discovery(
  new URL("${t}"),
  "${o}",
  undefined,
  client.ClientSecretBasic(process.env.CLIENT_SECRET),${s}
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
  const tokens = await client.authorizationCodeGrant(signet, new URL(request.url, "${r}"), {
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
`;return u("Express","Node.js",{npm:`npm install express openid-client
`,"server.js":p})}function Ge(e){let t=R(e).startsWith("https:"),o=`package main

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
`;return u("go-oidc","Go",{go:`go get github.com/coreos/go-oidc/v3 golang.org/x/oauth2
`,"main.go":o})}function Ke({issuer:e,clientId:t}){let o=`package main

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
`;return u("oauth2","Go",{go:`go get golang.org/x/oauth2
`,"main.go":o})}var Be=[{name:"lib/signet.js",text:`import * as client from "openid-client";

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
`},{name:"lib/sealed-cookie.js",text:`import { createHash } from "node:crypto";
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
`},{name:"app/sign-in/route.js",text:`import { NextResponse } from "next/server";
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
`},{name:"app/signed-in/route.js",text:`import { NextResponse } from "next/server";
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
`}];function ze(e){let t=k(e),o=`SIGNET_URL=${e.issuer}
APP_ORIGIN=${R(e)}
CLIENT_ID=${e.clientId}
CLIENT_SECRET=
# At least 32 random characters, which encrypt the cookies.
SESSION_SECRET=
`;return{name:"Next.js",platform:"Node.js",files:[{name:"npm",text:`npm install jose openid-client
`},{name:".env.local",text:o},...Be.map(({name:i,text:r})=>{let s=r.replaceAll("/signed-in",t);return i.includes("/signed-in/")?{name:i.replace("/signed-in",t),text:ut(s,t)}:{name:i,text:s}})]}}function ut(e,t){return e.replaceAll("../../lib/",`${"../".repeat(t.split("/").length)}lib/`)}function je(e){let{issuer:t,clientId:o,redirectUri:i}=e,r=`spring:
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
`,s=`package com.example;

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
`;return u("Spring Boot","Java",{"build.gradle":We("spring-boot-starter-web","spring-boot-starter-oauth2-client"),"application.yml":r,"SecurityConfiguration.java":s})}function Ye({issuer:e,clientId:t}){let o=`spring:
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
`;return u("Spring Boot","Java",{"build.gradle":We("spring-boot-starter-oauth2-client","spring-boot-starter-json"),"application.yml":o,"PrintToken.java":`package com.example;

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
`})}function We(...e){return e.map(t=>`implementation "org.springframework.boot:${t}"
`).join("")}function Z({app:e}){let{issuer:t}=V().settings,{apps:o}=l.value,[i,r]=w(0),s=mt[e.kind].map(a=>a({issuer:t,...e})),c=s[i]??s[0],p=e.kind==="web"||e.kind==="service";return n(f,{children:[n("fieldset",{class:"tiles",children:[n("legend",{class:"spoken",children:o.frameworks}),s.map(({name:a,platform:d},m)=>n("button",{type:"button","aria-pressed":m===i,onClick:()=>r(m),children:[n("strong",{children:a}),n("span",{class:"small",children:d})]},a))]}),p&&n("p",{class:"hint",children:o.secretHint}),e.clientSecret&&n(ne,{name:o.environment,text:`export CLIENT_SECRET=${e.clientSecret}
`}),c?.files.map(({name:a,text:d})=>n(ne,{name:a,text:d,children:kt(a,d)},a))]})}var mt={web:[He,ze,je,Ue,Ge,Ve],browser:[Me],native:[Le],service:[qe,Fe,Ye,$e,Ke]},ft=new Set(["async await break case catch class const continue def default else except export extends finally for from func","function if implements import in interface let new nil null None package private public raise return static struct","throw throws try type undefined var void while with yield True False true false"].flatMap(e=>e.split(" "))),ht=/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/,gt=/(?<=^|\s)#.*/,yt=/\/\/.*|\/\*[\s\S]*?\*\//,St=/(?<![-.\w$@])[A-Za-z_$@][\w$]*/;function kt(e,t){let o=/\.(?:js|go|java)$/.test(e)?yt:gt,i=new RegExp(`(?<comment>${o.source})|(?<string>${ht.source})|(?<word>${St.source})`,"gm"),r=[],s=0;for(let{0:c,index:p,groups:a={}}of t.matchAll(i)){let d=a.comment?"comment":a.string?"string":ft.has(c)?"keyword":void 0;d!==void 0&&(r.push(t.slice(s,p),n("span",{class:d,children:c},p)),s=p+c.length)}return[...r,t.slice(s)]}var Ct=200;function Q({orgId:e,...t}){let{management:o}=S(e),{apps:i}=l.value,r=async s=>{let c=[{query:{case:"typeQuery",value:{type:le.MACHINE}}}],{result:p}=await o.listUsers({query:{limit:Ct},queries:c},{signal:s});return p.map(a=>({id:a.id,name:`${ve(a)} (${a.userName})`}))};return n(we,{label:i.serviceUser,none:i.chooseMachine,emptyHint:i.noMachines,id:`machines ${e}`,load:r,...t})}var At=["grantTypes","authMethodType","jwks","jwksUri","accessTokenType","idTokenUserinfoAssertion","idTokenSignedResponseAlg","apiAccess","serviceUserId","requiresPkce","requiresPar","dpopBoundAccessTokens"],Je={RS256:x.OIDC_SIGNING_ALGORITHM_RS256,ES256:x.OIDC_SIGNING_ALGORITHM_ES256,EdDSA:x.OIDC_SIGNING_ALGORITHM_EDDSA,PS256:x.OIDC_SIGNING_ALGORITHM_PS256},ae={basic:A.OIDC_AUTH_METHOD_TYPE_BASIC,post:A.OIDC_AUTH_METHOD_TYPE_POST,key:A.OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT,none:A.OIDC_AUTH_METHOD_TYPE_NONE},Xe={opaque:te.OIDC_TOKEN_TYPE_BEARER,jwt:te.OIDC_TOKEN_TYPE_JWT},{OIDC_GRANT_TYPE_REFRESH_TOKEN:Tt,OIDC_GRANT_TYPE_DEVICE_CODE:Et}=I;function Qe(e){let{kind:t,orgId:o,permissions:i}=e,{apps:r}=l.value;return n(b,{...e,title:r.tokens,names:At,children:s=>n(f,{children:[t==="service"&&n(Q,{orgId:o,...s.field("serviceUserId")}),n(vt,{kind:t,form:s}),n(z,{label:r.tokenType,options:et(Xe,r.tokenTypes),...pe(s.field("accessTokenType"),Xe,"opaque")}),t!=="service"&&n(_t,{kind:t,form:s}),n(g,{label:r.dpop,hint:r.dpopHint,...s.field("dpopBoundAccessTokens")}),n(g,{label:r.apiAccess,hint:r.apiAccessHint,...s.field("apiAccess"),isReadOnly:s.isReadOnly||!i.can("org.member.write")})]})})}function vt({kind:e,form:t}){let{apps:o}=l.value,i=pe(t.field("authMethodType"),ae,"basic"),r=et(ae,o.methods).filter(([s])=>s!=="none"||e==="web");return n(f,{children:[!Oe(e)&&n(z,{label:o.authentication,options:r,...i,onInput:s=>{i.onInput(s),s!=="key"&&t.set({jwks:"",jwksUri:""})}}),i.value==="key"&&n(f,{children:[n(E,{label:o.jwksUri,hint:o.jwksHint,...t.field("jwksUri")}),n(E,{label:o.jwks,...t.field("jwks")})]})]})}function _t({form:e}){let{apps:t}=l.value,o=e.values.authMethodType!==ae.none;return n(f,{children:[o&&n(g,{label:t.pkce,hint:t.pkceHint,...e.field("requiresPkce")}),n(g,{label:t.par,hint:t.parHint,...e.field("requiresPar")}),n(g,{label:t.idTokenClaims,hint:t.idTokenClaimsHint,...e.field("idTokenUserinfoAssertion")}),n(z,{label:t.idTokenAlgorithm,options:P(Je).map(i=>[i,i]),...pe(e.field("idTokenSignedResponseAlg"),Je,"RS256")}),n(g,{label:t.refresh,hint:t.refreshHint,...Ze(e.field("grantTypes"),Tt)}),n(g,{label:t.device,hint:t.deviceHint,...Ze(e.field("grantTypes"),Et)})]})}function Ze({value:e,onInput:t,...o},i){let r=e.filter(s=>s!==i);return{...o,value:e.includes(i),onInput:s=>t(s?[...e,i]:r)}}function pe({value:e,onInput:t,...o},i,r){return{...o,value:me(i,e)??r,onInput:s=>t(i[s])}}function et(e,t){return P(e).map(o=>[o,t[o]])}function wt({orgId:e,id:t,tab:o}){let{management:i}=S(e),{apps:r}=l.value,s=L(`app ${e} ${t}`,async p=>(await i.getAppByID({appId:t},{signal:p})).app),c={title:r.title,path:h({page:"apps",orgId:e})};return n(Se,{orgId:e,kind:r.app,list:c,found:s,nameOf:({name:p})=>p,children:(p,a)=>n(It,{orgId:e,app:p,permissions:a,tab:o,kind:W(p.config.value?.appType),onChanged:s.reload,mayChange:bt(p,a)})})}function It({tab:e,...t}){let{orgId:o,app:i,kind:r}=t,{apps:s,orgs:c,user:p}=l.value,a=r!=="service",[d=""]=J(i).redirectUris,[m,C]=w(""),y={name:i.name,kind:r,clientId:i.id,clientSecret:m,redirectUri:d};return n(f,{children:[n(U,{facts:[[c.state,n(K,{isActive:i.state===N.ACTIVE})],[s.kind,s.kinds[r].name],[c.created,n(B,{at:i.details?.creationDate})]]}),m&&e&&n(G,{label:s.clientSecret,secret:m}),t.permissions.can("org.app.write")&&n(xt,{...t,onSecret:C}),n(_e,{label:p.tabs.label,path:h({page:"app",orgId:o,id:i.id}),current:e,tabs:[{name:"",title:s.connect,show:()=>n(H,{title:s.connect,children:[n(X,{...y}),n(Z,{app:y})]})},a&&{name:"addresses",title:s.steps.addresses,show:()=>n(De,{...t})},{name:"tokens",title:s.tokens,show:()=>n(Qe,{...t})},a&&{name:"roles",title:s.claims,show:()=>n(Nt,{...t})}]})]})}function bt(e,t){let{apiAccess:o=!1,serviceUserId:i=""}=e.config.value??{};return t.can("org.app.write")&&(!o||t.can("org.member.write"))&&(i===""||t.can("user.write"))}var{OIDC_AUTH_METHOD_TYPE_BASIC:Rt,OIDC_AUTH_METHOD_TYPE_POST:Ot}=A;function xt({orgId:e,app:t,mayChange:o,onChanged:i,onSecret:r}){let{management:s}=S(e),{apps:c,done:p}=l.value,{actions:a,clientSecret:d}=c,m={appId:t.id},C=t.config.value?.authMethodType,y=async()=>r((await s.regenerateOIDCClientSecret(m)).clientSecret),_=[o&&(C===Rt||C===Ot)&&{...a.newSecret,isDangerous:!0,change:y,done:p.added(d)},t.state===N.ACTIVE?{...a.deactivate,isDangerous:!0,done:p.deactivated(t.name),change:()=>s.deactivateApp(m)}:{...a.reactivate,done:p.reactivated(t.name),change:()=>s.reactivateApp(m)},{...a.remove,isFinal:!0,change:()=>s.removeApp(m),done:p.removed(t.name),onDone:()=>he(h({page:"apps",orgId:e}))}];return n(Ee,{of:t.name,actions:_,onDone:i})}function Nt(e){let{apps:t}=l.value;return n(b,{...e,title:t.claims,names:["roles","metadataClaims"],children:o=>n(f,{children:[n(v,{label:t.roles,hint:t.rolesHint,...o.field("roles"),placeholder:"editor"}),n(v,{label:t.metadataClaims,hint:t.metadataClaimsHint,...o.field("metadataClaims"),placeholder:"plan"})]})})}var tt=[],Pt={name:"",redirectUris:tt,postLogoutRedirectUris:tt,devMode:!1,serviceUserId:""};function Dt({orgId:e}){let{management:t}=S(e),{apps:o}=l.value,i=fe($,F.value.get("kind")),[r,s]=w(),c=Y({stored:Pt,async save({name:d,serviceUserId:m,...C}){let y=i??"web",{appType:_,authMethodType:ee,grantTypes:nt}=$[y],ot={appType:_,authMethodType:ee,grantTypes:[...nt]},it={name:d,...ot,...y==="service"?{serviceUserId:m}:C},{clientId:rt,clientSecret:st}=await t.addOIDCApp(it);return{name:d,kind:y,clientId:rt,clientSecret:st,redirectUri:C.redirectUris[0]??""}},done:({name:d})=>l.value.done.added(d),onSaved:s}),p=r?2:i?1:0,a=h({page:"app",orgId:e,id:D});return n(ye,{title:o.add,tools:n(ke,{title:o.title,path:h({page:"apps",orgId:e})}),children:[n(Ie,{names:[o.steps.kind,o.steps.addresses,o.steps.connect],current:p,firstPath:r?void 0:a}),r?n(Mt,{orgId:e,app:r}):i?n($t,{orgId:e,kind:i,form:c,backPath:a}):n(Ut,{orgId:e})]})}function Ut({orgId:e}){let{apps:t}=l.value,o=q(e,"user.write");return n("ul",{class:"cards large",children:re.filter(i=>i!=="service"||o).map(i=>n("li",{children:n("a",{href:`${h({page:"app",orgId:e,id:D})}?kind=${i}`,children:[n("strong",{children:t.kinds[i].name}),n("span",{children:t.kinds[i].meaning})]})},i))})}function $t({orgId:e,kind:t,form:o,backPath:i}){let{apps:r,orgs:s,colon:c}=l.value;return n(j,{form:o,button:r.add,backPath:i,children:[n("p",{class:"quiet",children:[r.kinds[t].name,c," ",r.kinds[t].meaning]}),n(E,{label:s.name,hint:r.nameHint,...o.field("name"),isRequired:!0}),t==="service"?n(Q,{orgId:e,...o.field("serviceUserId")}):n(f,{children:[n(se,{kind:t,form:o}),n(g,{label:r.devMode,hint:r.devModeHint,...o.field("devMode")})]})]})}function Mt({orgId:e,app:t}){let{apps:o}=l.value;return n(f,{children:[n("p",{children:o.added(t.name)}),n(X,{...t}),n(Z,{app:t}),n("div",{class:"buttons",children:n("a",{class:"button",href:h({page:"app",orgId:e,id:t.clientId}),children:o.toApp})})]})}function ni({orgId:e}){let{management:t}=S(e),{apps:o,orgs:i}=l.value,r=F.value.get("q")??"",s=q(e,"org.app.write"),c=Ce(`apps ${e} ${r}`,(p,a)=>t.listApps({query:p,queries:ge(r)},{signal:a}),{asc:!1});return n(Ae,{title:o.title,found:c,keyOf:({id:p})=>p,none:{text:r?o.noneFound:o.none},add:s&&{label:o.add,to:h({page:"app",orgId:e,id:D})},tools:n(Te,{text:r,label:o.search}),columns:[[i.name,({id:p,name:a})=>n("a",{href:h({page:"app",orgId:e,id:p}),children:a})],[o.kind,({config:p})=>o.kinds[W(p.value?.appType)].name],[i.state,({state:p})=>n(K,{isActive:p===N.ACTIVE})],[i.created,({details:p})=>n(B,{at:p?.creationDate})],[o.clientId,({id:p})=>n(T,{text:p})]]})}export{wt as AppPage,ni as AppsPage,Dt as NewAppPage};
