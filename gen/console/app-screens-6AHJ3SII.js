import{a as ae}from"./chunk-RYDYL6NM.js";import{a as Oe}from"./chunk-B2CQOH3S.js";import{b as Se}from"./chunk-SFGS7CNZ.js";import{a as ve}from"./chunk-R736XHJA.js";import{a as te}from"./chunk-UMJ3XAL2.js";import{a as R,b as H}from"./chunk-QKACVE5M.js";import{a as Y}from"./chunk-WYA6SRMD.js";import{a as W}from"./chunk-NIK7KIPW.js";import{a as ye}from"./chunk-D6RYTQ7I.js";import"./chunk-Q76YUG6E.js";import{a as ke}from"./chunk-FUHVVPLQ.js";import{b as Te,c as Ae,d as be}from"./chunk-QPUUIN4R.js";import{a as Z,c as Ce}from"./chunk-AY75SRJG.js";import{a as ee}from"./chunk-CM542FZI.js";import{a as T}from"./chunk-WTK7YADD.js";import{a as J}from"./chunk-RGMJMVH3.js";import{a as X}from"./chunk-TULGUJGM.js";import{c as w,e as U}from"./chunk-FJ6MUV2G.js";import{a as M}from"./chunk-4AUZ6GHI.js";import"./chunk-D4HBL7RZ.js";import{b as z,c as ue}from"./chunk-WYFCTI3G.js";import{B as e,C as I,J as f,L as he,O as _,P as Q,R as D,b as g,h as E,m as S,p as j,r as A}from"./chunk-TMEAUSVL.js";import{I as k,p as P,q as F,r as b,s as B,t as G,u as N}from"./chunk-VNU3C7OK.js";import{W as fe,aa as ge}from"./chunk-KAKMLXA3.js";function L({config:{value:t}}){return{redirectUris:t?.redirectUris??[],postLogoutRedirectUris:t?.postLogoutRedirectUris??[],additionalOrigins:t?.additionalOrigins??[],backChannelLogoutUri:t?.backChannelLogoutUri??"",devMode:t?.devMode??!1,grantTypes:t?.grantTypes??[],authMethodType:t?.authMethodType??0,jwks:t?.jwks??"",jwksUri:t?.jwksUri??"",accessTokenType:t?.accessTokenType??0,idTokenUserinfoAssertion:t?.idTokenUserinfoAssertion??!1,idTokenSignedResponseAlg:t?.idTokenSignedResponseAlg??0,apiAccess:t?.apiAccess??!1,serviceUserId:t?.serviceUserId??"",roles:t?.roles??[],metadataClaims:t?.metadataClaims??[],requiresPkce:t?.requiresPkce??!1,requiresPar:t?.requiresPar??!1,dpopBoundAccessTokens:t?.dpopBoundAccessTokens??!1}}function oe(t,o){return Object.fromEntries(o.map(r=>[r,t[r]]))}function Ee(t){return{paths:t.map(o=>o.replace(/[A-Z]/g,r=>`_${r.toLowerCase()}`))}}function $(t){return e(it,{...t},JSON.stringify(oe(L(t.app),t.names)))}function it(t){let{orgId:o,app:r,mayChange:p,onChanged:n,title:s,names:i,children:c}=t,{api:l}=S(),u=oe(L(r),i),d=ee(u);async function m(){let a=k(o),h=Object.fromEntries(d.changed.map(C=>[C,st(d.values[C])?H(d.values[C]):d.values[C]]));d.set(h);let{app:y}=await l.management.getAppByID({appId:r.id},a);if(y!==void 0&&JSON.stringify(oe(L(y),i))!==JSON.stringify(u))throw new he(f.peek().apps.stale);await l.management.patchOIDCAppConfig({appId:r.id,...h,updateMask:Ee(d.changed)},a)}return e(X,{title:s,children:e(J,{isChanged:d.changed.length>0,isOffered:p,save:m,onSaved:n,onReset:d.reset,fields:i,children:a=>c(d,a,!p)})})}function st(t){return Array.isArray(t)&&typeof t[0]=="string"}var at=new Set(["wildcard","unencrypted"]),pt=new Set(["localhost","127.0.0.1","[::1]"]);function Ie(t,o,r){let p=o==="native",n=/^[\x21-\x7e]+$/.test(t)?URL.parse(t):null;if(n===null)return"notAbsolute";if(t.includes("#"))return"fragment";if(n.username!==""||n.password!=="")return"userInfo";let s=pt.has(n.hostname);if(n.protocol==="http:"){if(!r&&!(p&&s))return p?"httpsOrLoopback":"httpsOrDevMode";if(!s)return"unencrypted"}else if(n.protocol!=="https:"){let i=/^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/.test(n.protocol);if(!p||!i)return p?"httpsOrScheme":"https"}return t.includes("*")?"wildcard":void 0}function _e(t){return!at.has(t)}function V({kind:t,devMode:o,...r}){return e(R,{...r,describe:n=>{let s=Ie(n.trim(),t,o);return s&&{text:f.value.apps.uriProblems[s],isRejected:_e(s)}},placeholder:ct[t]})}var ct={web:"https://app.example.com/signed-in",browser:"https://app.example.com/signed-in",native:"com.example.app:/signed-in",service:""};var lt=["redirectUris","postLogoutRedirectUris","additionalOrigins","backChannelLogoutUri","devMode"];function we(t){let{apps:o}=f.value;return e($,{...t,title:o.steps.addresses,names:lt,children:({values:r,set:p},n,s)=>e(g,{children:[e(V,{label:o.redirectUris,hint:o.redirectUrisHint,kind:t.kind,devMode:r.devMode,values:r.redirectUris,onChange:i=>p({redirectUris:i}),problem:n,path:"redirectUris",isReadOnly:s}),e(V,{label:o.signOutUris,kind:t.kind,devMode:r.devMode,values:r.postLogoutRedirectUris,onChange:i=>p({postLogoutRedirectUris:i}),problem:n,path:"postLogoutRedirectUris",isReadOnly:s}),e(R,{label:o.origins,hint:o.originsHint,values:r.additionalOrigins,onChange:i=>p({additionalOrigins:i}),problem:n,path:"additionalOrigins",isReadOnly:s,placeholder:"https://app.example.com"}),e(w,{label:o.backChannel,hint:o.backChannelHint,value:r.backChannelLogoutUri,onInput:i=>p({backChannelLogoutUri:i}),problem:n,path:"backChannelLogoutUri",isReadOnly:s}),e(T,{label:o.devMode,hint:o.devModeHint,isOn:r.devMode,onChange:i=>p({devMode:i}),isReadOnly:s})]})})}var dt=["newSecret","deactivate","reactivate","remove"];function Re({orgId:t,app:o,mayChange:r,permissions:p,onChanged:n}){let{api:s}=S(),{apps:i}=f.value,[c,l]=E(),[u,d]=E("");if(!p.can("org.app.write"))return null;let m=o.config.value?.authMethodType,a=o.state===N.ACTIVE,h=m===b.OIDC_AUTH_METHOD_TYPE_BASIC||m===b.OIDC_AUTH_METHOD_TYPE_POST,y={newSecret:r&&h,deactivate:a,reactivate:!a,remove:!0},C=k(t),x={appId:o.id},se={newSecret:async()=>d((await s.management.regenerateOIDCClientSecret(x,C)).clientSecret),deactivate:()=>s.management.deactivateApp(x,C),reactivate:()=>s.management.reactivateApp(x,C),remove:()=>s.management.removeApp(x,C)};return e(g,{children:[u&&e(te,{label:i.clientSecret,secret:u}),e("div",{class:"buttons",children:[dt.filter(v=>y[v]).map(v=>e("button",{type:"button",class:v==="remove"?"secondary danger":"secondary",onClick:()=>l(v),children:i.actions[v].label},v)),c&&e(ye,{title:`${i.actions[c].label}: ${o.name}`,button:i.actions[c].label,isDangerous:c!=="reactivate",change:se[c],onDone:()=>{l(void 0),c==="remove"?ue(A({page:"apps",orgId:t})):n()},onClose:()=>l(void 0),children:e("p",{children:i.actions[c].text})})]})]})}function xe(t){let{apps:o}=f.value;return e($,{...t,title:o.claims,names:["roles","metadataClaims"],children:({values:r,set:p},n,s)=>e(g,{children:[e(R,{label:o.roles,hint:o.rolesHint,values:r.roles,onChange:i=>p({roles:i}),problem:n,path:"roles",isReadOnly:s,placeholder:"editor"}),e(R,{label:o.metadataClaims,hint:o.metadataClaimsHint,values:r.metadataClaims,onChange:i=>p({metadataClaims:i}),problem:n,path:"metadataClaims",isReadOnly:s,placeholder:"plan"})]})})}var{OIDC_GRANT_TYPE_AUTHORIZATION_CODE:pe,OIDC_GRANT_TYPE_REFRESH_TOKEN:ce}=P,{OIDC_AUTH_METHOD_TYPE_BASIC:Pe,OIDC_AUTH_METHOD_TYPE_NONE:Ne}=b,K={web:{appType:F.OIDC_APP_TYPE_WEB,authMethodType:Pe,grantTypes:[pe,ce]},browser:{appType:F.OIDC_APP_TYPE_USER_AGENT,authMethodType:Ne,grantTypes:[pe,ce]},native:{appType:F.OIDC_APP_TYPE_NATIVE,authMethodType:Ne,grantTypes:[pe,ce,P.OIDC_GRANT_TYPE_DEVICE_CODE]},service:{appType:F.OIDC_APP_TYPE_SERVICE,authMethodType:Pe,grantTypes:[P.OIDC_GRANT_TYPE_CLIENT_CREDENTIALS]}},le=Object.keys(K);function ne(t){return le.find(o=>K[o].appType===t)??"web"}function Ue(t){return t!==null&&Object.hasOwn(K,t)}function De(t){return t==="browser"||t==="native"}function O({redirectUri:t}){return URL.parse(t)?.pathname??"/signed-in"}function q({redirectUri:t}){return URL.parse(t)?.origin??"https://app.example.com"}function Me(t){let o=`import os

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


@app.get("${O(t)}")
def signed_in():
    oauth.signet.authorize_access_token()
    session["user"] = dict(oauth.signet.userinfo())
    return redirect("/me")
`;return{name:"Authlib",files:[{name:"pip",text:`pip install Authlib Flask requests
`},{name:"app.py",text:o}]}}function Le({issuer:t,clientId:o}){let r=`import os

from authlib.integrations.requests_client import OAuth2Session

session = OAuth2Session("${o}", os.environ["CLIENT_SECRET"])
token = session.fetch_token("${t}/oauth/v2/token", grant_type="client_credentials")
print(token["access_token"])
`;return{name:"Authlib",files:[{name:"pip",text:`pip install Authlib requests
`},{name:"service.py",text:r}]}}function $e({issuer:t,clientId:o,redirectUri:r}){let p=`import { UserManager } from "oidc-client-ts";

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
`},{name:"sign-in.js",text:p}]}}function Ve({issuer:t,clientId:o}){let r=t.startsWith("http:")?`
  // Only on the local machine.
  { execute: [client.allowInsecureRequests] },`:"",p=`import * as client from "openid-client";

const signet = await client.discovery(
  new URL("${t}"),
  "${o}",
  undefined,
  client.ClientSecretBasic(process.env.CLIENT_SECRET),${r}
);
const tokens = await client.clientCredentialsGrant(signet);
console.log(tokens.access_token);
`;return{name:"Node.js",files:[{name:"npm",text:`npm install openid-client
`},{name:"service.js",text:p}]}}function qe({issuer:t,clientId:o}){return{name:"curl",files:[{name:"sh",text:`# The endpoints.
curl -sS --fail-with-body ${t}/.well-known/openid-configuration

# Whether an access token is valid, and for whom.
curl -sS --fail-with-body ${t}/oauth/v2/introspect --user "${o}:$CLIENT_SECRET" --data-urlencode "token=$ACCESS_TOKEN"
`}]}}function Fe({issuer:t,clientId:o}){return{name:"curl",files:[{name:"sh",text:`# Open verification_uri_complete of the response in a browser, and sign in.
curl -sS --fail-with-body ${t}/oauth/v2/device_authorization -d client_id=${o} -d scope=openid

# Then get the tokens with device_code of the response.
curl -sS --fail-with-body ${t}/oauth/v2/token -d client_id=${o} -d "device_code=$DEVICE_CODE" -d grant_type=urn:ietf:params:oauth:grant-type:device_code
`}]}}function Ge({issuer:t,clientId:o}){return{name:"curl",files:[{name:"sh",text:`curl -sS --fail-with-body ${t}/oauth/v2/token --user "${o}:$CLIENT_SECRET" -d grant_type=client_credentials
`}]}}function He(t){let{issuer:o,clientId:r,redirectUri:p}=t,n=q(t),s=o.startsWith("http:")?`
  // Only on the local machine.
  { execute: [client.allowInsecureRequests] },`:"",i=n.startsWith("https:"),c=`import { randomUUID } from "node:crypto";
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
    redirect_uri: "${p}",
    scope: "openid profile email",
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
    state: attempt.state,
    nonce: attempt.nonce,
  });
  begin(response, { attempt }).redirect(303, url.href);
});

app.get("${O(t)}", async (request, response) => {
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
`},{name:"server.js",text:c}]}}function Ke(t){let o=q(t).startsWith("https:"),r=`package main

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

	http.HandleFunc("GET ${O(t)}", func(response http.ResponseWriter, request *http.Request) {
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
`},{name:"main.go",text:r}]}}function je({issuer:t,clientId:o}){let r=`package main

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
`},{name:"main.go",text:r}]}}function ze(t){let o=O(t),r=`SIGNET_URL=${t.issuer}
APP_ORIGIN=${q(t)}
CLIENT_ID=${t.clientId}
CLIENT_SECRET=
# At least 32 random characters, which encrypt the cookies.
SESSION_SECRET=
`;return{name:"Next.js",files:[{name:"npm",text:`npm install jose openid-client
`},{name:".env.local",text:r},{name:"lib/signet.js",text:ut.replaceAll("/signed-in",o)},{name:"lib/sealed-cookie.js",text:ft},{name:"app/sign-in/route.js",text:gt.replaceAll("/signed-in",o)},{name:`app${o}/route.js`,text:mt(ht.replaceAll("/signed-in",o),o)}]}}function mt(t,o){return t.replaceAll("../../lib/",`${"../".repeat(o.split("/").length)}lib/`)}var ut=`import * as client from "openid-client";

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
`,gt=`import { NextResponse } from "next/server";
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
`,ht=`import { NextResponse } from "next/server";
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
`;function Be(t){let{issuer:o,clientId:r,redirectUri:p}=t,n=`spring:
  security:
    oauth2:
      client:
        registration:
          signet:
            client-id: ${r}
            client-secret: \${CLIENT_SECRET}
            authorization-grant-type: authorization_code
            redirect-uri: ${p}
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
            .redirectionEndpoint(endpoint -> endpoint.baseUri("${O(t)}")))
        .build();
  }
}
`;return{name:"Spring",files:[{name:"build.gradle",text:We("spring-boot-starter-web","spring-boot-starter-oauth2-client")},{name:"application.yml",text:n},{name:"SecurityConfiguration.java",text:s}]}}function Ye({issuer:t,clientId:o}){let r=`spring:
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
`;return{name:"Spring",files:[{name:"build.gradle",text:We("spring-boot-starter-oauth2-client","spring-boot-starter-json")},{name:"application.yml",text:r},{name:"PrintToken.java",text:`package com.example;

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
`}]}}function We(...t){return t.map(o=>`implementation "org.springframework.boot:${o}"
`).join("")}var Je={web:[He,ze,Be,Me,Ke,qe],browser:[$e],native:[Fe],service:[Ge,Ve,Ye,Le,je]};function re({kind:t,app:o}){let{issuer:r}=S().settings,{apps:p}=f.value,[n,s]=E(0),i=Je[t].map(u=>u({issuer:r,...o})),c=i[n]??i[0],l=t==="web"||t==="service";return e(g,{children:[e("fieldset",{class:"chips",children:[e("legend",{class:"spoken",children:p.frameworks}),i.map(({name:u},d)=>e("button",{type:"button",class:"chip","aria-pressed":d===n,onClick:()=>s(d),children:u},u))]}),l&&e("p",{class:"hint",children:p.secretHint}),o.clientSecret&&e(ae,{name:p.environment,text:`export CLIENT_SECRET=${o.clientSecret}
`}),c?.files.map(u=>e(ae,{...u},u.name))]})}var yt=200;function ie({orgId:t,value:o,onChange:r,problem:p,isReadOnly:n=!1}){let{api:s}=S(),{apps:i}=f.value,c=D(`machines ${t}`,async m=>{let a=[{query:{case:"typeQuery",value:{type:ge.MACHINE}}}],{result:h}=await s.management.listUsers({query:{limit:yt},queries:a},k(t,m));return h.map(y=>({value:y.id,label:`${Se(y)} (${y.userName})`}))}),l=c.value??[],u=o===""||l.some(m=>m.value===o),d=p?.fields.get("serviceUserId");return e(g,{children:[e(_,{problem:c.problem,onRetry:c.reload}),e(U,{label:i.serviceUser,value:o,options:[{value:"",label:i.chooseMachine},...l,...u?[]:[{value:o,label:o}]],onChange:r,isReadOnly:n}),d&&e("p",{class:"error",children:d}),c.value?.length===0&&e("p",{class:"hint",children:i.noMachines})]})}var St=["grantTypes","authMethodType","jwks","jwksUri","accessTokenType","idTokenUserinfoAssertion","idTokenSignedResponseAlg","apiAccess","serviceUserId","requiresPkce","requiresPar","dpopBoundAccessTokens"],de={RS256:G.OIDC_SIGNING_ALGORITHM_RS256,ES256:G.OIDC_SIGNING_ALGORITHM_ES256,EdDSA:G.OIDC_SIGNING_ALGORITHM_EDDSA,PS256:G.OIDC_SIGNING_ALGORITHM_PS256},Qe=Object.keys(de),me={basic:b.OIDC_AUTH_METHOD_TYPE_BASIC,post:b.OIDC_AUTH_METHOD_TYPE_POST,key:b.OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT,none:b.OIDC_AUTH_METHOD_TYPE_NONE},Ze=Object.keys(me),{OIDC_GRANT_TYPE_REFRESH_TOKEN:Xe,OIDC_GRANT_TYPE_DEVICE_CODE:et}=P;function tt(t){let{kind:o,orgId:r,permissions:p}=t,{apps:n}=f.value;return e($,{...t,title:n.tokens,names:St,children:({values:s,set:i},c,l)=>{let u=Ze.find(a=>me[a]===s.authMethodType)??"basic",d=a=>s.grantTypes.includes(a),m=a=>h=>i({grantTypes:h?[...s.grantTypes,a]:s.grantTypes.filter(y=>y!==a)});return e(g,{children:[o==="service"&&e(ie,{orgId:r,value:s.serviceUserId,onChange:a=>i({serviceUserId:a}),problem:c,isReadOnly:l}),!De(o)&&e(U,{label:n.authentication,value:u,options:Ze.filter(a=>a!=="none"||o==="web").map(a=>({value:a,label:n.methods[a]})),onChange:a=>i({authMethodType:me[a],...a!=="key"&&{jwks:"",jwksUri:""}}),isReadOnly:l}),u==="key"&&e(g,{children:[e(w,{label:n.jwksUri,hint:n.jwksHint,value:s.jwksUri,onInput:a=>i({jwksUri:a}),problem:c,path:"jwksUri",isReadOnly:l}),e(w,{label:n.jwks,value:s.jwks,onInput:a=>i({jwks:a}),problem:c,path:"jwks",isReadOnly:l})]}),e(U,{label:n.tokenType,value:s.accessTokenType===B.OIDC_TOKEN_TYPE_JWT?"jwt":"opaque",options:["opaque","jwt"].map(a=>({value:a,label:n.tokenTypes[a]})),onChange:a=>i({accessTokenType:a==="jwt"?B.OIDC_TOKEN_TYPE_JWT:B.OIDC_TOKEN_TYPE_BEARER}),isReadOnly:l}),o!=="service"&&e(g,{children:[u!=="none"&&e(T,{label:n.pkce,hint:n.pkceHint,isOn:s.requiresPkce,onChange:a=>i({requiresPkce:a}),isReadOnly:l}),e(T,{label:n.par,hint:n.parHint,isOn:s.requiresPar,onChange:a=>i({requiresPar:a}),isReadOnly:l}),e(T,{label:n.idTokenClaims,hint:n.idTokenClaimsHint,isOn:s.idTokenUserinfoAssertion,onChange:a=>i({idTokenUserinfoAssertion:a}),isReadOnly:l}),e(U,{label:n.idTokenAlgorithm,value:Qe.find(a=>de[a]===s.idTokenSignedResponseAlg)??"RS256",options:Qe.map(a=>({value:a,label:a})),onChange:a=>i({idTokenSignedResponseAlg:de[a]}),isReadOnly:l}),e(T,{label:n.refresh,hint:n.refreshHint,isOn:d(Xe),onChange:m(Xe),isReadOnly:l}),e(T,{label:n.device,hint:n.deviceHint,isOn:d(et),onChange:m(et),isReadOnly:l})]}),e(T,{label:n.dpop,hint:n.dpopHint,isOn:s.dpopBoundAccessTokens,onChange:a=>i({dpopBoundAccessTokens:a}),isReadOnly:l}),e(T,{label:n.apiAccess,hint:n.apiAccessHint,isOn:s.apiAccess,onChange:a=>i({apiAccess:a}),isReadOnly:l||!p.can("org.member.write")})]})}})}function Ct({orgId:t,id:o}){let{api:r}=S(),{apps:p,orgs:n}=f.value,s=M(t).value,i=D(`app ${t} ${o}`,async h=>(await r.management.getAppByID({appId:o},k(t,h))).app),c=i.value,l=e("a",{class:"back",href:A({page:"apps",orgId:t}),children:p.title});if(c===void 0||s===void 0)return e(I,{title:p.app,tools:l,children:[e(_,{problem:i.problem,onRetry:i.reload}),i.problem===void 0&&e(Q,{isShown:i.isSlow})]});let u=ne(c.config.value?.appType),d=L(c),m={orgId:t,app:c,kind:u,mayChange:kt(c,s),permissions:s,onChanged:i.reload},a={name:c.name,clientId:c.id,clientSecret:"",redirectUri:d.redirectUris[0]??""};return e(I,{title:c.name,tools:l,children:[e(_,{problem:i.problem,onRetry:i.reload}),e("dl",{children:[e("dt",{children:n.state}),e("dd",{children:e(Y,{isActive:c.state===N.ACTIVE})}),e("dt",{children:p.kind}),e("dd",{children:p.kinds[u].name}),e("dt",{children:p.clientId}),e("dd",{children:e(W,{text:c.id})}),e("dt",{children:n.created}),e("dd",{children:e(Z,{at:c.details?.creationDate})})]}),e(Re,{...m}),e(X,{title:p.connect,children:e(re,{kind:u,app:a})}),u!=="service"&&e(we,{...m}),e(tt,{...m}),u!=="service"&&e(xe,{...m})]})}function kt(t,o){let{apiAccess:r=!1,serviceUserId:p=""}=t.config.value??{};return o.can("org.app.write")&&(!r||o.can("org.member.write"))&&(p===""||o.can("user.write"))}function Tt({orgId:t}){let{api:o}=S(),{apps:r,orgs:p}=f.value,n=z.value.get("q")??"",s=Te(),i=M(t).value?.can("org.app.write")??!1,c=D(`apps ${t} ${n} ${s}`,d=>o.management.listApps({query:Ae(s,!1),queries:n?[{query:{case:"nameQuery",value:{name:n,method:At}}}]:[]},k(t,d))),{value:l}=c,u=e("a",{class:"button",href:A({page:"app",orgId:t,id:j}),children:r.add});return e(I,{title:r.title,tools:i&&u,children:[e("div",{class:"tools",children:e(Oe,{text:n,label:r.search})}),e(_,{problem:c.problem,onRetry:c.reload}),l===void 0&&c.problem===void 0&&e(Q,{isShown:c.isSlow}),l?.result.length===0&&e(ke,{text:n?r.noneFound:r.none}),l&&l.result.length>0&&e(Ce,{label:r.title,isCurrent:c.isCurrent,children:e("table",{children:[e("thead",{children:e("tr",{children:[e("th",{scope:"col",children:p.name}),e("th",{scope:"col",children:r.kind}),e("th",{scope:"col",children:p.state}),e("th",{scope:"col",children:p.created}),e("th",{scope:"col",children:r.clientId})]})}),e("tbody",{children:l.result.map(({id:d,name:m,state:a,details:h,config:y})=>e("tr",{children:[e("th",{scope:"row",children:e("a",{href:A({page:"app",orgId:t,id:d}),children:m})}),e("td",{children:r.kinds[ne(y.value?.appType)].name}),e("td",{children:e(Y,{isActive:a===N.ACTIVE})}),e("td",{children:e(Z,{at:h?.creationDate})}),e("td",{children:e(W,{text:d})})]},d))})]})}),e(be,{hasNext:!!l?.details?.nextPageToken})]})}var At=fe.CONTAINS_IGNORE_CASE;function ot({orgId:t,mayAddServices:o}){let{apps:r}=f.value,p=le.filter(n=>n!=="service"||o);return e("ul",{class:"cards large",children:p.map(n=>e("li",{children:e("a",{href:`${A({page:"app",orgId:t,id:j})}?kind=${n}`,children:[e("strong",{children:r.kinds[n].name}),e("span",{children:r.kinds[n].meaning})]})},n))})}var bt={name:"",redirectUris:[],postLogoutRedirectUris:[],devMode:!1,serviceUserId:""};function nt({orgId:t,kind:o,onAdded:r}){let{api:p}=S(),{apps:n,orgs:s}=f.value,i=ee(bt),{values:c}=i,l=o==="service";async function u(){let d=H(c.redirectUris),m=H(c.postLogoutRedirectUris);i.set({redirectUris:d,postLogoutRedirectUris:m});let{appType:a,authMethodType:h,grantTypes:y}=K[o],{name:C,devMode:x,serviceUserId:se}=c,{clientId:v,clientSecret:rt}=await p.management.addOIDCApp({name:C,devMode:x,serviceUserId:se,redirectUris:d,postLogoutRedirectUris:m,appType:a,authMethodType:h,grantTypes:[...y]},k(t));r({name:C,clientId:v,clientSecret:rt,redirectUri:d[0]??""})}return e(J,{isChanged:i.changed.length>0,isOffered:!0,save:u,onSaved:()=>{},onReset:i.reset,fields:["name","redirectUris","postLogoutRedirectUris","serviceUserId"],button:n.add,children:d=>e(g,{children:[e(w,{label:s.name,hint:n.nameHint,value:c.name,onInput:m=>i.set({name:m}),problem:d,path:"name",isRequired:!0}),l?e(ie,{orgId:t,value:c.serviceUserId,onChange:m=>i.set({serviceUserId:m}),problem:d}):e(g,{children:[e(V,{label:n.redirectUris,hint:n.redirectUrisHint,kind:o,devMode:c.devMode,values:c.redirectUris,onChange:m=>i.set({redirectUris:m}),problem:d,path:"redirectUris"}),e(V,{label:n.signOutUris,kind:o,devMode:c.devMode,values:c.postLogoutRedirectUris,onChange:m=>i.set({postLogoutRedirectUris:m}),problem:d,path:"postLogoutRedirectUris"}),e(T,{label:n.devMode,hint:n.devModeHint,isOn:c.devMode,onChange:m=>i.set({devMode:m})})]})]})})}function Ot({orgId:t}){let{apps:o}=f.value,r=M(t).value,p=z.value.get("kind"),n=Ue(p)?p:void 0,[s,i]=E(),c=s!==void 0&&s.clientSecret!=="",l=s?2:n?1:0;return e(I,{title:o.add,children:[e(ve,{names:[o.steps.kind,o.steps.addresses,o.steps.connect],current:l}),n===void 0&&e(ot,{orgId:t,mayAddServices:r?.can("user.write")??!1}),n&&s===void 0&&e(nt,{orgId:t,kind:n,onAdded:i},n),n&&s&&e(g,{children:[e("p",{children:o.added(s.name)}),c&&e(te,{label:o.clientSecret,secret:s.clientSecret}),e(re,{kind:n,app:s}),e("div",{class:"buttons",children:e("a",{class:"button",href:A({page:"app",orgId:t,id:s.clientId}),children:o.toApp})})]})]})}export{Ct as AppPage,Tt as AppsPage,Ot as NewAppPage};
