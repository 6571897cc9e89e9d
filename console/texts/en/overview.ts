export const EN_OVERVIEW = {
  title: "Overview",
  first: "What to do first",
  progress: (done: number, total: number) => `${done} of ${total} done`,
  next: (step: string) => `Next: ${step}`,
  begin: "Begin",
  isDone: "Done",
  steps: {
    email: {
      title: "Set up a mail server",
      reason: "Set SMTP_URL, so that invitations and links to reset passwords are sent.",
    },
    owner: { title: "Add a second owner", reason: "One person can be absent, or lose the password." },
    users: { title: "Add users", reason: "Add them one by one, or import them from another system." },
    app: { title: "Add an application", reason: "People sign in to it with Signet." },
    provider: {
      title: "Connect a provider",
      reason: "People sign in with accounts that they already have, such as at Google.",
    },
  },
  activity: "Last 24 hours",
  byHour: (title: string) => `${title} by hour`,
  latestOnly: (count: string) => `The chart shows the latest ${count}.`,
  waiting: "Waiting messages",
  noFailed: "None failed",
  failed: (count: string) => `${count} failed`,
};
