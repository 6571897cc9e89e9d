export const metadata = { title: "An application" };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <h1>An application</h1>
        {children}
      </body>
    </html>
  );
}
