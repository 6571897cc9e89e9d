import { readCookie } from "../lib/sealed-cookie.js";

/** Shows the claims of the user who signed in. */
export default async function Page() {
  const session = await readCookie("session");
  if (session === undefined) {
    // Not a `Link`, which Next.js would request before anyone clicks on it.
    return <a href="/sign-in">Sign in</a>;
  }
  return (
    <>
      <p>You are signed in. Signet sent these claims:</p>
      <pre>{JSON.stringify(session.claims, undefined, 2)}</pre>
      <form method="post" action="/sign-out">
        <button type="submit">Sign out</button>
      </form>
    </>
  );
}
