import type { MessageTexts } from "../shapes/message-texts.ts";
import { NOTICES } from "./notices.ts";

export const MESSAGES: MessageTexts = {
  email: {
    greeting: "Hello,",
    greetingByName: (name) => `Hello ${name},`,
    occasion: (host) => `An account has been created for you at ${host}.`,
    occasionIn: (org, host) => `${org} has created an account for you at ${host}.`,
    changed: (host) => `This address was entered for your account at ${host}.`,
    confirm: {
      subject: "Confirm your email address",
      request:
        "Please confirm that this is your email address. If you do not have a password yet, you can set one on the same page.",
      button: "Confirm email address",
    },
    setPassword: {
      subject: "Set your password",
      request: "You can now set a password for it.",
      button: "Set password",
    },
    confirmNew: {
      subject: "Confirm your new email address",
      request: "Please confirm that it is yours.",
      button: "Confirm email address",
    },
    userName: (userName) => `Your user name: ${userName}`,
    openLink: "To do so, open this link:",
    copyLink: "If the button does not work, copy this address into your browser:",
    validity: (hours) => `The link is valid for ${hours} hours from the time this email was sent.`,
    sentTo: (address) => `This email was sent to ${address}.`,
    unexpected: "Didn’t expect this email? Then you can simply ignore it.",
  },
  passwordReset: {
    subject: "Choose a new password",
    occasion: (host) => `A new password was requested for your account at ${host}.`,
    request: "You can now choose one. Until then, your current password stays valid.",
    button: "Choose a new password",
    validity: "The link is valid for one hour from the time this email was sent.",
  },
  registration: {
    registration: {
      subject: "Finish creating your account",
      occasion: (host) => `Someone, probably you, wants to create an account with this address at ${host}.`,
      request: "Please confirm that the address is yours, and choose how to sign in.",
      button: "Create the account",
    },
    "registration-taken": {
      subject: "You already have an account",
      occasion: (host) => `Someone, probably you, wants to create an account with this address at ${host}.`,
      request:
        "There already is one. You can sign in with it; if you have forgotten your password, choose a new one on the same page.",
      button: "Sign in",
    },
  },
  registrationFor: (app) => `The account is for signing in to ${app}.`,
  signInCode: {
    subject: "Your code to sign in",
    occasion: (host) => `Someone, probably you, is signing in at ${host} and has asked for this code:`,
    advice: "Enter it on the page where you asked for it, within 15 minutes. Do not give it to anyone.",
  },
  notices: NOTICES,
  sms: (digits) => `Your code: ${digits}, valid 1 hour`,
  resetSms: "Choose a new password within 1 hour:",
};
