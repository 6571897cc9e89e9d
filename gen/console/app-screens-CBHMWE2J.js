import{a as se}from"./chunk-BUPZLUJB.js";import{a as be}from"./chunk-DHUNVUGY.js";import{b as ge}from"./chunk-SFGS7CNZ.js";import{a as Ae}from"./chunk-WACVHF6C.js";import{a as ee}from"./chunk-LTBM5PU3.js";import{a as x,b as H}from"./chunk-BJFCHQGQ.js";import{a as B}from"./chunk-YVMZAK73.js";import{a as Y}from"./chunk-VN4HFSSI.js";import{a as he}from"./chunk-E4SXN4OS.js";import"./chunk-2CJDYKKX.js";import{a as Se}from"./chunk-3L3UJAAD.js";import{b as Ce,c as ke,d as Te}from"./chunk-LCFEYWB7.js";import{a as Q,c as ye}from"./chunk-KZPUJZ4D.js";import{a as X}from"./chunk-D72XZ37L.js";import{a as A}from"./chunk-RYFKVCKQ.js";import{a as W}from"./chunk-TCYSN75V.js";import{a as Z}from"./chunk-IXM636IM.js";import{c as I,e as q}from"./chunk-XNNBEAVT.js";import{a as D}from"./chunk-LK2F4FYS.js";import"./chunk-IYGK2KVO.js";import{b as j,c as de}from"./chunk-OKDDEHIE.js";import{B as e,C as w,J as f,L as fe,O as _,P as J,R as U,b as h,h as E,m as S,p as K,r as T}from"./chunk-D7EYFFVL.js";import{H as k,p as P,q as F,r as b,s as z,t as N}from"./chunk-VGVRSA5O.js";import{W as me,aa as ue}from"./chunk-KAKMLXA3.js";function M({config:{value:t}}){return{redirectUris:t?.redirectUris??[],postLogoutRedirectUris:t?.postLogoutRedirectUris??[],additionalOrigins:t?.additionalOrigins??[],backChannelLogoutUri:t?.backChannelLogoutUri??"",devMode:t?.devMode??!1,grantTypes:t?.grantTypes??[],authMethodType:t?.authMethodType??0,jwks:t?.jwks??"",jwksUri:t?.jwksUri??"",accessTokenType:t?.accessTokenType??0,idTokenUserinfoAssertion:t?.idTokenUserinfoAssertion??!1,apiAccess:t?.apiAccess??!1,serviceUserId:t?.serviceUserId??"",roles:t?.roles??[],metadataClaims:t?.metadataClaims??[],requiresPkce:t?.requiresPkce??!1}}function te(t,o){return Object.fromEntries(o.map(r=>[r,t[r]]))}function ve(t){return{paths:t.map(o=>o.replace(/[A-Z]/g,r=>`_${r.toLowerCase()}`))}}function $(t){return e(ot,{...t},JSON.stringify(te(M(t.app),t.names)))}function ot(t){let{orgId:o,app:r,mayChange:a,onChanged:n,title:s,names:i,children:p}=t,{api:d}=S(),u=te(M(r),i),l=X(u);async function m(){let c=k(o),g=Object.fromEntries(l.changed.map(C=>[C,nt(l.values[C])?H(l.values[C]):l.values[C]]));l.set(g);let{app:y}=await d.management.getAppByID({appId:r.id},c);if(y!==void 0&&JSON.stringify(te(M(y),i))!==JSON.stringify(u))throw new fe(f.peek().apps.stale);await d.management.patchOIDCAppConfig({appId:r.id,...g,updateMask:ve(l.changed)},c)}return e(Z,{title:s,children:e(W,{isChanged:l.changed.length>0,isOffered:a,save:m,onSaved:n,onReset:l.reset,fields:i,children:c=>p(l,c,!a)})})}function nt(t){return Array.isArray(t)&&typeof t[0]=="string"}var rt=new Set(["wildcard","unencrypted"]),it=new Set(["localhost","127.0.0.1","[::1]"]);function Oe(t,o,r){let a=o==="native",n=/^[\x21-\x7e]+$/.test(t)?URL.parse(t):null;if(n===null)return"notAbsolute";if(t.includes("#"))return"fragment";if(n.username!==""||n.password!=="")return"userInfo";let s=it.has(n.hostname);if(n.protocol==="http:"){if(!r&&!(a&&s))return a?"httpsOrLoopback":"httpsOrDevMode";if(!s)return"unencrypted"}else if(n.protocol!=="https:"){let i=/^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/.test(n.protocol);if(!a||!i)return a?"httpsOrScheme":"https"}return t.includes("*")?"wildcard":void 0}function Ee(t){return!rt.has(t)}function V({kind:t,devMode:o,...r}){return e(x,{...r,describe:n=>{let s=Oe(n.trim(),t,o);return s&&{text:f.value.apps.uriProblems[s],isRejected:Ee(s)}},placeholder:st[t]})}var st={web:"https://app.example.com/signed-in",browser:"https://app.example.com/signed-in",native:"com.example.app:/signed-in",service:""};var at=["redirectUris","postLogoutRedirectUris","additionalOrigins","backChannelLogoutUri","devMode"];function we(t){let{apps:o}=f.value;return e($,{...t,title:o.steps.addresses,names:at,children:({values:r,set:a},n,s)=>e(h,{children:[e(V,{label:o.redirectUris,hint:o.redirectUrisHint,kind:t.kind,devMode:r.devMode,values:r.redirectUris,onChange:i=>a({redirectUris:i}),problem:n,path:"redirectUris",isReadOnly:s}),e(V,{label:o.signOutUris,kind:t.kind,devMode:r.devMode,values:r.postLogoutRedirectUris,onChange:i=>a({postLogoutRedirectUris:i}),problem:n,path:"postLogoutRedirectUris",isReadOnly:s}),e(x,{label:o.origins,hint:o.originsHint,values:r.additionalOrigins,onChange:i=>a({additionalOrigins:i}),problem:n,path:"additionalOrigins",isReadOnly:s,placeholder:"https://app.example.com"}),e(I,{label:o.backChannel,hint:o.backChannelHint,value:r.backChannelLogoutUri,onInput:i=>a({backChannelLogoutUri:i}),problem:n,path:"backChannelLogoutUri",isReadOnly:s}),e(A,{label:o.devMode,hint:o.devModeHint,isOn:r.devMode,onChange:i=>a({devMode:i}),isReadOnly:s})]})})}var pt=["newSecret","deactivate","reactivate","remove"];function _e({orgId:t,app:o,mayChange:r,permissions:a,onChanged:n}){let{api:s}=S(),{apps:i}=f.value,[p,d]=E(),[u,l]=E("");if(!a.can("org.app.write"))return null;let m=o.config.value?.authMethodType,c=o.state===N.ACTIVE,g=m===b.OIDC_AUTH_METHOD_TYPE_BASIC||m===b.OIDC_AUTH_METHOD_TYPE_POST,y={newSecret:r&&g,deactivate:c,reactivate:!c,remove:!0},C=k(t),R={appId:o.id},ie={newSecret:async()=>l((await s.management.regenerateOIDCClientSecret(R,C)).clientSecret),deactivate:()=>s.management.deactivateApp(R,C),reactivate:()=>s.management.reactivateApp(R,C),remove:()=>s.management.removeApp(R,C)};return e(h,{children:[u&&e(ee,{label:i.clientSecret,secret:u}),e("div",{class:"buttons",children:[pt.filter(O=>y[O]).map(O=>e("button",{type:"button",class:O==="remove"?"secondary danger":"secondary",onClick:()=>d(O),children:i.actions[O].label},O)),p&&e(he,{title:`${i.actions[p].label}: ${o.name}`,button:i.actions[p].label,isDangerous:p!=="reactivate",change:ie[p],onDone:()=>{d(void 0),p==="remove"?de(T({page:"apps",orgId:t})):n()},onClose:()=>d(void 0),children:e("p",{children:i.actions[p].text})})]})]})}function Ie(t){let{apps:o}=f.value;return e($,{...t,title:o.claims,names:["roles","metadataClaims"],children:({values:r,set:a},n,s)=>e(h,{children:[e(x,{label:o.roles,hint:o.rolesHint,values:r.roles,onChange:i=>a({roles:i}),problem:n,path:"roles",isReadOnly:s,placeholder:"editor"}),e(x,{label:o.metadataClaims,hint:o.metadataClaimsHint,values:r.metadataClaims,onChange:i=>a({metadataClaims:i}),problem:n,path:"metadataClaims",isReadOnly:s,placeholder:"plan"})]})})}var{OIDC_GRANT_TYPE_AUTHORIZATION_CODE:ae,OIDC_GRANT_TYPE_REFRESH_TOKEN:pe}=P,{OIDC_AUTH_METHOD_TYPE_BASIC:xe,OIDC_AUTH_METHOD_TYPE_NONE:Re}=b,G={web:{appType:F.OIDC_APP_TYPE_WEB,authMethodType:xe,grantTypes:[ae,pe]},browser:{appType:F.OIDC_APP_TYPE_USER_AGENT,authMethodType:Re,grantTypes:[ae,pe]},native:{appType:F.OIDC_APP_TYPE_NATIVE,authMethodType:Re,grantTypes:[ae,pe,P.OIDC_GRANT_TYPE_DEVICE_CODE]},service:{appType:F.OIDC_APP_TYPE_SERVICE,authMethodType:xe,grantTypes:[P.OIDC_GRANT_TYPE_CLIENT_CREDENTIALS]}},ce=Object.keys(G);function oe(t){return ce.find(o=>G[o].appType===t)??"web"}function Pe(t){return t!==null&&Object.hasOwn(G,t)}function Ne(t){return t==="browser"||t==="native"}function v({redirectUri:t}){return URL.parse(t)?.pathname??"/signed-in"}function L({redirectUri:t}){return URL.parse(t)?.origin??"https://app.example.com"}function Ue(t){let o=`import os

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session

app = Flask(__name__)
# At least 32 random characters, which sign the cookie.
app.secret_key = os.environ["SESSION_SECRET"]
oauth = OAuth(app)
oauth.register(
    "signet",
    client_id="${t.clientId}",
    client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url="${t.issuer}/.well-known/openid-configuration",
    client_kwargs={"scope": "openid profile email", "code_challenge_method": "S256"},
)


@app.get("/me")
def me():
    return session.get("user") or '<a href="/sign-in">Sign in</a>'


@app.get("/sign-in")
def sign_in():
    return oauth.signet.authorize_redirect("${t.redirectUri}")


@app.get("${v(t)}")
def signed_in():
    oauth.signet.authorize_access_token()
    session["user"] = dict(oauth.signet.userinfo())
    return redirect("/me")
`;return{name:"Authlib",files:[{name:"pip",text:`pip install Authlib Flask requests
`},{name:"app.py",text:o}]}}function De({issuer:t,clientId:o}){let r=`import os

from authlib.integrations.requests_client import OAuth2Session

session = OAuth2Session("${o}", os.environ["CLIENT_SECRET"])
token = session.fetch_token("${t}/oauth/v2/token", grant_type="client_credentials")
print(token["access_token"])
`;return{name:"Authlib",files:[{name:"pip",text:`pip install Authlib requests
`},{name:"service.py",text:r}]}}function Me({issuer:t,clientId:o,redirectUri:r}){let a=`import { UserManager } from "oidc-client-ts";

const signet = new UserManager({
  authority: "${t}",
  client_id: "${o}",
  redirect_uri: "${r}",
  scope: "openid profile email",
});

if (location.href.startsWith("${r}?")) {
  const user = await signet.signinCallback();
  console.log(user.profile.sub);
} else {
  await signet.signinRedirect();
}
`;return{name:"oidc-client-ts",files:[{name:"npm",text:`npm install oidc-client-ts
`},{name:"sign-in.js",text:a}]}}function $e({issuer:t,clientId:o}){let r=t.startsWith("http:")?`
  // Only on the local machine.
  { execute: [client.allowInsecureRequests] },`:"",a=`import * as client from "openid-client";

const signet = await client.discovery(
  new URL("${t}"),
  "${o}",
  undefined,
  client.ClientSecretBasic(process.env.CLIENT_SECRET),${r}
);
const tokens = await client.clientCredentialsGrant(signet);
console.log(tokens.access_token);
`;return{name:"Node.js",files:[{name:"npm",text:`npm install openid-client
`},{name:"service.js",text:a}]}}function Ve({issuer:t,clientId:o}){return{name:"curl",files:[{name:"sh",text:`# The endpoints.
curl -sS --fail-with-body ${t}/.well-known/openid-configuration

# Whether an access token is valid, and for whom.
curl -sS --fail-with-body ${t}/oauth/v2/introspect --user "${o}:$CLIENT_SECRET" --data-urlencode "token=$ACCESS_TOKEN"
`}]}}function Le({issuer:t,clientId:o}){return{name:"curl",files:[{name:"sh",text:`# Open verification_uri_complete of the response in a browser, and sign in.
curl -sS --fail-with-body ${t}/oauth/v2/device_authorization -d client_id=${o} -d scope=openid

# Then get the tokens with device_code of the response.
curl -sS --fail-with-body ${t}/oauth/v2/token -d client_id=${o} -d "device_code=$DEVICE_CODE" -d grant_type=urn:ietf:params:oauth:grant-type:device_code
`}]}}function Fe({issuer:t,clientId:o}){return{name:"curl",files:[{name:"sh",text:`curl -sS --fail-with-body ${t}/oauth/v2/token --user "${o}:$CLIENT_SECRET" -d grant_type=client_credentials
`}]}}function qe(t){let{issuer:o,clientId:r,redirectUri:a}=t,n=L(t),s=o.startsWith("http:")?`
  // Only on the local machine.
  { execute: [client.allowInsecureRequests] },`:"",i=n.startsWith("https:"),p=`import { randomUUID } from "node:crypto";
import express from "express";
import * as client from "openid-client";

const signet = await client.discovery(
  new URL("${o}"),
  "${r}",
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
    redirect_uri: "${a}",
    scope: "openid profile email",
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
    state: attempt.state,
    nonce: attempt.nonce,
  });
  begin(response, { attempt }).redirect(303, url.href);
});

app.get("${v(t)}", async (request, response) => {
  const attempt = sessionOf(request)?.attempt;
  if (attempt === undefined) return response.status(400).send("The sign-in began in another browser.");
  const tokens = await client.authorizationCodeGrant(signet, new URL(request.url, "${n}"), {
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
  return response.cookie("session", id, { httpOnly: true, sameSite: "lax", secure: ${i} });
}

function sessionOf(request) {
  const [, id] = /(?:^|; )session=([\\w-]+)/.exec(request.headers.cookie ?? "") ?? [];
  return sessions.get(id);
}

app.listen(process.env.PORT ?? 3000);
`;return{name:"Express",files:[{name:"npm",text:`npm install express openid-client
`},{name:"server.js",text:p}]}}function He(t){let o=L(t).startsWith("https:"),r=`package main

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
	provider, err := oidc.NewProvider(context.Background(), "${t.issuer}")
	if err != nil {
		log.Fatal(err)
	}
	config := oauth2.Config{
		ClientID:     "${t.clientId}",
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  "${t.redirectUri}",
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})

	http.HandleFunc("GET /sign-in", func(response http.ResponseWriter, request *http.Request) {
		state, nonce, code := rand.Text(), rand.Text(), oauth2.GenerateVerifier()
		keep(response, strings.Join([]string{state, nonce, code}, "."), 3600)
		address := config.AuthCodeURL(state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(code))
		http.Redirect(response, request, address, http.StatusSeeOther)
	})

	http.HandleFunc("GET ${v(t)}", func(response http.ResponseWriter, request *http.Request) {
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
		Path: "/", HttpOnly: true, Secure: ${o}, SameSite: http.SameSiteLaxMode,
	})
}
`;return{name:"Go",files:[{name:"go",text:`go get github.com/coreos/go-oidc/v3 golang.org/x/oauth2
`},{name:"main.go",text:r}]}}function Ge({issuer:t,clientId:o}){let r=`package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"golang.org/x/oauth2/clientcredentials"
)

func main() {
	config := clientcredentials.Config{
		ClientID:     "${o}",
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		TokenURL:     "${t}/oauth/v2/token",
	}
	token, err := config.Token(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(token.AccessToken)
}
`;return{name:"Go",files:[{name:"go",text:`go get golang.org/x/oauth2
`},{name:"main.go",text:r}]}}function Ke(t){let o=v(t),r=`SIGNET_URL=${t.issuer}
APP_ORIGIN=${L(t)}
CLIENT_ID=${t.clientId}
CLIENT_SECRET=
# At least 32 random characters, which encrypt the cookies.
SESSION_SECRET=
`;return{name:"Next.js",files:[{name:"npm",text:`npm install jose openid-client
`},{name:".env.local",text:r},{name:"lib/signet.js",text:lt.replaceAll("/signed-in",o)},{name:"lib/sealed-cookie.js",text:dt},{name:"app/sign-in/route.js",text:mt.replaceAll("/signed-in",o)},{name:`app${o}/route.js`,text:ct(ut.replaceAll("/signed-in",o),o)}]}}function ct(t,o){return t.replaceAll("../../lib/",`${"../".repeat(o.split("/").length)}lib/`)}var lt=`import * as client from "openid-client";

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
`,dt=`import { createHash } from "node:crypto";
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
`,mt=`import { NextResponse } from "next/server";
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
`,ut=`import { NextResponse } from "next/server";
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
`;function je(t){let{issuer:o,clientId:r,redirectUri:a}=t,n=`spring:
  security:
    oauth2:
      client:
        registration:
          signet:
            client-id: ${r}
            client-secret: \${CLIENT_SECRET}
            authorization-grant-type: authorization_code
            redirect-uri: ${a}
            scope: openid, profile, email
        provider:
          signet:
            issuer-uri: ${o}
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
            .redirectionEndpoint(endpoint -> endpoint.baseUri("${v(t)}")))
        .build();
  }
}
`;return{name:"Spring",files:[{name:"build.gradle",text:Be("spring-boot-starter-web","spring-boot-starter-oauth2-client")},{name:"application.yml",text:n},{name:"SecurityConfiguration.java",text:s}]}}function ze({issuer:t,clientId:o}){let r=`spring:
  security:
    oauth2:
      client:
        registration:
          signet:
            client-id: ${o}
            client-secret: \${CLIENT_SECRET}
            authorization-grant-type: client_credentials
        provider:
          signet:
            token-uri: ${t}/oauth/v2/token
`;return{name:"Spring",files:[{name:"build.gradle",text:Be("spring-boot-starter-oauth2-client","spring-boot-starter-json")},{name:"application.yml",text:r},{name:"PrintToken.java",text:`package com.example;

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
`}]}}function Be(...t){return t.map(o=>`implementation "org.springframework.boot:${o}"
`).join("")}var Ye={web:[qe,Ke,je,Ue,He,Ve],browser:[Me],native:[Le],service:[Fe,$e,ze,De,Ge]};function ne({kind:t,app:o}){let{issuer:r}=S().settings,{apps:a}=f.value,[n,s]=E(0),i=Ye[t].map(u=>u({issuer:r,...o})),p=i[n]??i[0],d=t==="web"||t==="service";return e(h,{children:[e("fieldset",{class:"chips",children:[e("legend",{class:"spoken",children:a.frameworks}),i.map(({name:u},l)=>e("button",{type:"button",class:"chip","aria-pressed":l===n,onClick:()=>s(l),children:u},u))]}),d&&e("p",{class:"hint",children:a.secretHint}),o.clientSecret&&e(se,{name:a.environment,text:`export CLIENT_SECRET=${o.clientSecret}
`}),p?.files.map(u=>e(se,{...u},u.name))]})}var ft=200;function re({orgId:t,value:o,onChange:r,problem:a,isReadOnly:n=!1}){let{api:s}=S(),{apps:i}=f.value,p=U(`machines ${t}`,async m=>{let c=[{query:{case:"typeQuery",value:{type:ue.MACHINE}}}],{result:g}=await s.management.listUsers({query:{limit:ft},queries:c},k(t,m));return g.map(y=>({value:y.id,label:`${ge(y)} (${y.userName})`}))}),d=p.value??[],u=o===""||d.some(m=>m.value===o),l=a?.fields.get("serviceUserId");return e(h,{children:[e(_,{problem:p.problem,onRetry:p.reload}),e(q,{label:i.serviceUser,value:o,options:[{value:"",label:i.chooseMachine},...d,...u?[]:[{value:o,label:o}]],onChange:r,isReadOnly:n}),l&&e("p",{class:"error",children:l}),p.value?.length===0&&e("p",{class:"hint",children:i.noMachines})]})}var ht=["grantTypes","authMethodType","jwks","jwksUri","accessTokenType","idTokenUserinfoAssertion","apiAccess","serviceUserId","requiresPkce"],le={basic:b.OIDC_AUTH_METHOD_TYPE_BASIC,post:b.OIDC_AUTH_METHOD_TYPE_POST,key:b.OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT,none:b.OIDC_AUTH_METHOD_TYPE_NONE},We=Object.keys(le),{OIDC_GRANT_TYPE_REFRESH_TOKEN:Je,OIDC_GRANT_TYPE_DEVICE_CODE:Qe}=P;function Ze(t){let{kind:o,orgId:r,permissions:a}=t,{apps:n}=f.value;return e($,{...t,title:n.tokens,names:ht,children:({values:s,set:i},p,d)=>{let u=We.find(c=>le[c]===s.authMethodType)??"basic",l=c=>s.grantTypes.includes(c),m=c=>g=>i({grantTypes:g?[...s.grantTypes,c]:s.grantTypes.filter(y=>y!==c)});return e(h,{children:[o==="service"&&e(re,{orgId:r,value:s.serviceUserId,onChange:c=>i({serviceUserId:c}),problem:p,isReadOnly:d}),!Ne(o)&&e(q,{label:n.authentication,value:u,options:We.filter(c=>c!=="none"||o==="web").map(c=>({value:c,label:n.methods[c]})),onChange:c=>i({authMethodType:le[c],...c!=="key"&&{jwks:"",jwksUri:""}}),isReadOnly:d}),u==="key"&&e(h,{children:[e(I,{label:n.jwksUri,hint:n.jwksHint,value:s.jwksUri,onInput:c=>i({jwksUri:c}),problem:p,path:"jwksUri",isReadOnly:d}),e(I,{label:n.jwks,value:s.jwks,onInput:c=>i({jwks:c}),problem:p,path:"jwks",isReadOnly:d})]}),e(q,{label:n.tokenType,value:s.accessTokenType===z.OIDC_TOKEN_TYPE_JWT?"jwt":"opaque",options:["opaque","jwt"].map(c=>({value:c,label:n.tokenTypes[c]})),onChange:c=>i({accessTokenType:c==="jwt"?z.OIDC_TOKEN_TYPE_JWT:z.OIDC_TOKEN_TYPE_BEARER}),isReadOnly:d}),o!=="service"&&e(h,{children:[u!=="none"&&e(A,{label:n.pkce,hint:n.pkceHint,isOn:s.requiresPkce,onChange:c=>i({requiresPkce:c}),isReadOnly:d}),e(A,{label:n.idTokenClaims,hint:n.idTokenClaimsHint,isOn:s.idTokenUserinfoAssertion,onChange:c=>i({idTokenUserinfoAssertion:c}),isReadOnly:d}),e(A,{label:n.refresh,hint:n.refreshHint,isOn:l(Je),onChange:m(Je),isReadOnly:d}),e(A,{label:n.device,hint:n.deviceHint,isOn:l(Qe),onChange:m(Qe),isReadOnly:d})]}),e(A,{label:n.apiAccess,hint:n.apiAccessHint,isOn:s.apiAccess,onChange:c=>i({apiAccess:c}),isReadOnly:d||!a.can("org.member.write")})]})}})}function gt({orgId:t,id:o}){let{api:r}=S(),{apps:a,orgs:n}=f.value,s=D(t).value,i=U(`app ${t} ${o}`,async g=>(await r.management.getAppByID({appId:o},k(t,g))).app),p=i.value,d=e("a",{class:"back",href:T({page:"apps",orgId:t}),children:a.title});if(p===void 0||s===void 0)return e(w,{title:a.app,tools:d,children:[e(_,{problem:i.problem,onRetry:i.reload}),i.problem===void 0&&e(J,{isShown:i.isSlow})]});let u=oe(p.config.value?.appType),l=M(p),m={orgId:t,app:p,kind:u,mayChange:yt(p,s),permissions:s,onChanged:i.reload},c={name:p.name,clientId:p.id,clientSecret:"",redirectUri:l.redirectUris[0]??""};return e(w,{title:p.name,tools:d,children:[e(_,{problem:i.problem,onRetry:i.reload}),e("dl",{children:[e("dt",{children:n.state}),e("dd",{children:e(B,{isActive:p.state===N.ACTIVE})}),e("dt",{children:a.kind}),e("dd",{children:a.kinds[u].name}),e("dt",{children:a.clientId}),e("dd",{children:e(Y,{text:p.id})}),e("dt",{children:n.created}),e("dd",{children:e(Q,{at:p.details?.creationDate})})]}),e(_e,{...m}),e(Z,{title:a.connect,children:e(ne,{kind:u,app:c})}),u!=="service"&&e(we,{...m}),e(Ze,{...m}),u!=="service"&&e(Ie,{...m})]})}function yt(t,o){let{apiAccess:r=!1,serviceUserId:a=""}=t.config.value??{};return o.can("org.app.write")&&(!r||o.can("org.member.write"))&&(a===""||o.can("user.write"))}function St({orgId:t}){let{api:o}=S(),{apps:r,orgs:a}=f.value,n=j.value.get("q")??"",s=Ce(),i=D(t).value?.can("org.app.write")??!1,p=U(`apps ${t} ${n} ${s}`,l=>o.management.listApps({query:ke(s,!1),queries:n?[{query:{case:"nameQuery",value:{name:n,method:Ct}}}]:[]},k(t,l))),{value:d}=p,u=e("a",{class:"button",href:T({page:"app",orgId:t,id:K}),children:r.add});return e(w,{title:r.title,tools:i&&u,children:[e("div",{class:"tools",children:e(be,{text:n,label:r.search})}),e(_,{problem:p.problem,onRetry:p.reload}),d===void 0&&p.problem===void 0&&e(J,{isShown:p.isSlow}),d?.result.length===0&&e(Se,{text:n?r.noneFound:r.none}),d&&d.result.length>0&&e(ye,{label:r.title,isCurrent:p.isCurrent,children:e("table",{children:[e("thead",{children:e("tr",{children:[e("th",{scope:"col",children:a.name}),e("th",{scope:"col",children:r.kind}),e("th",{scope:"col",children:a.state}),e("th",{scope:"col",children:a.created}),e("th",{scope:"col",children:r.clientId})]})}),e("tbody",{children:d.result.map(({id:l,name:m,state:c,details:g,config:y})=>e("tr",{children:[e("th",{scope:"row",children:e("a",{href:T({page:"app",orgId:t,id:l}),children:m})}),e("td",{children:r.kinds[oe(y.value?.appType)].name}),e("td",{children:e(B,{isActive:c===N.ACTIVE})}),e("td",{children:e(Q,{at:g?.creationDate})}),e("td",{children:e(Y,{text:l})})]},l))})]})}),e(Te,{hasNext:!!d?.details?.nextPageToken})]})}var Ct=me.CONTAINS_IGNORE_CASE;function Xe({orgId:t,mayAddServices:o}){let{apps:r}=f.value,a=ce.filter(n=>n!=="service"||o);return e("ul",{class:"cards large",children:a.map(n=>e("li",{children:e("a",{href:`${T({page:"app",orgId:t,id:K})}?kind=${n}`,children:[e("strong",{children:r.kinds[n].name}),e("span",{children:r.kinds[n].meaning})]})},n))})}var kt={name:"",redirectUris:[],postLogoutRedirectUris:[],devMode:!1,serviceUserId:""};function et({orgId:t,kind:o,onAdded:r}){let{api:a}=S(),{apps:n,orgs:s}=f.value,i=X(kt),{values:p}=i,d=o==="service";async function u(){let l=H(p.redirectUris),m=H(p.postLogoutRedirectUris);i.set({redirectUris:l,postLogoutRedirectUris:m});let{appType:c,authMethodType:g,grantTypes:y}=G[o],{name:C,devMode:R,serviceUserId:ie}=p,{clientId:O,clientSecret:tt}=await a.management.addOIDCApp({name:C,devMode:R,serviceUserId:ie,redirectUris:l,postLogoutRedirectUris:m,appType:c,authMethodType:g,grantTypes:[...y]},k(t));r({name:C,clientId:O,clientSecret:tt,redirectUri:l[0]??""})}return e(W,{isChanged:i.changed.length>0,isOffered:!0,save:u,onSaved:()=>{},onReset:i.reset,fields:["name","redirectUris","postLogoutRedirectUris","serviceUserId"],button:n.add,children:l=>e(h,{children:[e(I,{label:s.name,hint:n.nameHint,value:p.name,onInput:m=>i.set({name:m}),problem:l,path:"name",isRequired:!0}),d?e(re,{orgId:t,value:p.serviceUserId,onChange:m=>i.set({serviceUserId:m}),problem:l}):e(h,{children:[e(V,{label:n.redirectUris,hint:n.redirectUrisHint,kind:o,devMode:p.devMode,values:p.redirectUris,onChange:m=>i.set({redirectUris:m}),problem:l,path:"redirectUris"}),e(V,{label:n.signOutUris,kind:o,devMode:p.devMode,values:p.postLogoutRedirectUris,onChange:m=>i.set({postLogoutRedirectUris:m}),problem:l,path:"postLogoutRedirectUris"}),e(A,{label:n.devMode,hint:n.devModeHint,isOn:p.devMode,onChange:m=>i.set({devMode:m})})]})]})})}function Tt({orgId:t}){let{apps:o}=f.value,r=D(t).value,a=j.value.get("kind"),n=Pe(a)?a:void 0,[s,i]=E(),p=s!==void 0&&s.clientSecret!=="",d=s?2:n?1:0;return e(w,{title:o.add,children:[e(Ae,{names:[o.steps.kind,o.steps.addresses,o.steps.connect],current:d}),n===void 0&&e(Xe,{orgId:t,mayAddServices:r?.can("user.write")??!1}),n&&s===void 0&&e(et,{orgId:t,kind:n,onAdded:i},n),n&&s&&e(h,{children:[e("p",{children:o.added(s.name)}),p&&e(ee,{label:o.clientSecret,secret:s.clientSecret}),e(ne,{kind:n,app:s}),e("div",{class:"buttons",children:e("a",{class:"button",href:T({page:"app",orgId:t,id:s.clientId}),children:o.toApp})})]})]})}export{gt as AppPage,St as AppsPage,Tt as NewAppPage};
