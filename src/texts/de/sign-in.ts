import type { Texts } from "../en/en.ts";

export const SIGN_IN: Texts["signIn"] = {
  titleFor: "Bei {{app}} anmelden",
  userName: "Benutzername",
  identifiers: {
    withEmail: {
      label: "E\u2011Mail oder Benutzername",
      failed: "E\u2011Mail, Benutzername oder Passwort ist falsch.",
      shared: "Gemeinsame Adresse? Benutzernamen eingeben.",
      resetText:
        "Geben Sie Ihre E\u2011Mail-Adresse oder Ihren Benutzernamen ein. Wir senden einen Link, mit dem Sie ein neues Passwort wählen können, an die E\u2011Mail-Adresse Ihres Kontos.",
      sentText:
        "Wenn es ein Konto mit diesem Benutzernamen oder dieser bestätigten E\u2011Mail-Adresse gibt, ist ein Link unterwegs. Das kann einige Minuten dauern; sehen Sie auch im Spam-Ordner nach. Wenn mehrere Konten dieselbe Adresse haben, geben Sie stattdessen den Benutzernamen ein.",
    },
    withPhone: {
      label: "Telefon oder Benutzername",
      failed: "Telefon, Benutzername oder Passwort ist falsch.",
      shared: "Gemeinsame Nummer? Benutzernamen eingeben.",
      resetText:
        "Geben Sie Ihre Telefonnummer oder Ihren Benutzernamen ein. Wir senden einen Link, mit dem Sie ein neues Passwort wählen können, an die E\u2011Mail-Adresse Ihres Kontos.",
      sentText:
        "Wenn es ein Konto mit diesem Benutzernamen oder dieser bestätigten Telefonnummer und mit einer bestätigten E\u2011Mail-Adresse gibt, ist ein Link an diese Adresse unterwegs. Das kann einige Minuten dauern; sehen Sie auch im Spam-Ordner nach. Wenn mehrere Konten dieselbe Nummer haben, geben Sie stattdessen den Benutzernamen ein.",
    },
    nameOnly: {
      label: "Benutzername",
      failed: "Der Benutzername oder das Passwort ist falsch.",
      resetText:
        "Geben Sie Ihren Benutzernamen ein. Wir senden einen Link, mit dem Sie ein neues Passwort wählen können, an die E\u2011Mail-Adresse Ihres Kontos.",
      sentText:
        "Wenn es ein Konto mit diesem Benutzernamen und einer bestätigten E\u2011Mail-Adresse gibt, ist ein Link unterwegs. Das kann einige Minuten dauern; sehen Sie auch im Spam-Ordner nach.",
    },
  },
  password: "Passwort",
  remember: "Angemeldet bleiben",
  submit: "Anmelden",
  cancel: "Abbrechen",
  forgotten: "Vergessen?",
  errors: {
    tooOften: "Zu viele Versuche. Wieder möglich {{delay}}.",
    unavailable: "Die Anmeldung ist im Moment nicht möglich. Bitte versuchen Sie es in einigen Minuten noch einmal.",
    stale: "Diese Seite war zu lange geöffnet. Bitte melden Sie sich noch einmal an.",
    otherUser: "Die Anwendung erfordert ein anderes Konto. Bitte melden Sie sich als {{userName}} an.",
  },
  ended: {
    title: "Diese Anmeldung ist beendet",
    text: "Sie wurde bereits abgeschlossen oder hat zu lange gedauert, oder Ihr Browser blockiert Cookies dieser Website.",
    startAgain: "Bei {{app}} neu beginnen",
    noApp: "Bitte gehen Sie zurück zur Anwendung und beginnen Sie dort neu.",
  },
  newPassword: {
    title: "Wählen Sie ein neues Passwort",
    text: "Sie müssen Ihr Passwort ändern, bevor Sie fortfahren können.",
    submit: "Passwort festlegen und fortfahren",
  },
  address: {
    title: "Bestätigen Sie Ihre E\u2011Mail-Adresse",
    sent: "Wir haben einen Link an {{email}} gesendet. Sehen Sie auch im Spam-Ordner nach.",
    next: "Öffnen Sie den Link, kehren Sie dann zu dieser Seite zurück und fahren Sie fort.",
    notYet: "Die Adresse ist noch nicht bestätigt.",
    submit: "Weiter",
    sendAgain: "Link noch einmal senden",
    cannotSend: "Ihre Adresse {{email}} ist nicht bestätigt. Bitten Sie Ihren Administrator um einen Link.",
  },
  reset: {
    title: "Passwort vergessen?",
    submit: "Link senden",
    back: "Zurück zur Anmeldung",
    sent: { title: "Prüfen Sie Ihren Posteingang" },
  },
  discovery: { next: "Weiter", other: "Anderes Konto verwenden" },
  registration: {
    open: "Konto erstellen",
    title: "Konto erstellen",
    text: "Geben Sie Ihre E\u2011Mail-Adresse ein. Wir senden Ihnen einen Link, um sie zu bestätigen; danach wählen Sie, wie Sie sich anmelden.",
    email: "E\u2011Mail-Adresse",
    invalidEmail: "Bitte geben Sie eine E\u2011Mail-Adresse ein, zum Beispiel name@example.com.",
    submit: "Weiter",
    sent: {
      title: "Prüfen Sie Ihren Posteingang",
      text: "Wir haben eine E\u2011Mail an {{email}} gesendet. Öffnen Sie den Link darin in diesem Browser, um fortzufahren. Es kann einige Minuten dauern; bitte sehen Sie auch im Spam-Ordner nach.",
    },
    finish: {
      title: "Schließen Sie Ihre Registrierung ab",
      text: "Ihre Adresse {{email}} ist bestätigt. Geben Sie Ihren Namen ein und wählen Sie, wie Sie sich anmelden.",
      firstName: "Vorname",
      lastName: "Nachname",
      userName: "Benutzername",
      password: "Konto erstellen",
      passkey: "Stattdessen einen Passkey verwenden",
      needsScript: "Um das Konto mit einem Passkey zu erstellen, schalten Sie JavaScript ein.",
      invalid: "Dieser Wert fehlt oder ist ungültig.",
      foreignAddress:
        "Ein Benutzername mit @ oder eine Telefonnummer muss Ihre eigene, bestätigte Adresse oder Nummer sein.",
      taken: "Dieser Benutzername ist vergeben. Bitte wählen Sie einen anderen.",
      refused: "Dieser Passkey wurde nicht angenommen. Bitte versuchen Sie es noch einmal.",
    },
    ready: {
      title: "Ihr Konto ist bereit",
      text: "Sie können sich jetzt als {{email}} anmelden.",
      next: "Weiter zu {{app}}",
    },
    taken: {
      title: "Sie haben bereits ein Konto",
      text: "Es gibt bereits ein Konto mit der Adresse {{email}}. Bitte melden Sie sich damit an.",
    },
    over: {
      title: "Dieser Link ist nicht mehr gültig",
      text: "Er ist abgelaufen, wurde unvollständig kopiert, oder hier können keine Konten mehr erstellt werden. Bitte beginnen Sie noch einmal.",
      again: "Noch einmal beginnen",
    },
  },
  oneTimeCode: {
    title: "Geben Sie Ihren Einmalcode ein",
    text: "Öffnen Sie Ihre Authenticator-App und geben Sie den Code ein, den sie für dieses Konto anzeigt.",
    code: "Einmalcode",
    submit: "Weiter",
    recovery: {
      open: "Wiederherstellungscode verwenden",
      code: "Wiederherstellungscode",
      hint: "Einer der Codes, die Sie beim Einrichten der Einmalcodes gespeichert haben. Jeder Code funktioniert nur einmal.",
      wrong: "Dieser Code ist falsch oder wurde bereits verwendet.",
    },
    wrong: "Dieser Code ist falsch oder wurde bereits verwendet. Bitte warten Sie auf den nächsten.",
  },
  recentProof: {
    title: "Bestätigen Sie, dass Sie es sind",
    text: "{{name}} hat nicht bestätigt, dass Sie sich dort gerade angemeldet haben. Um fortzufahren, lassen Sie sich einen Code an Ihre E-Mail-Adresse senden.",
    send: "Code senden",
    sendAgain: "Neuen Code senden",
    sent: "Ein Code wurde an {{email}} gesendet. Er ist 15 Minuten gültig.",
    code: "Code aus der E-Mail",
    wrong: "Dieser Code ist falsch oder nicht mehr gültig.",
    otherWay: "Auf andere Weise anmelden",
  },
  passkey: {
    submit: "Mit Passkey anmelden",
    outcomes: {
      waiting: "Folgen Sie den Anweisungen in Ihrem Browser.",
      canceled: "Die Anmeldung wurde abgebrochen, oder auf diesem Gerät gibt es keinen Passkey für diese Website.",
      otherHost: "Unter dieser Adresse funktionieren Passkeys nicht.",
      failed:
        "Ihr Gerät konnte keinen Passkey verwenden. Bitte versuchen Sie es noch einmal oder melden Sie sich auf andere Weise an.",
    },
    refused:
      "Dieser Passkey wurde nicht akzeptiert. Bitte versuchen Sie es noch einmal oder melden Sie sich auf andere Weise an.",
  },
  secondFactor: {
    back: "Zurück",
    title: "Schützen Sie Ihr Konto",
    text: "Ihre Organisation verlangt neben dem Passwort einen zweiten Schritt. Wählen Sie, was Sie verwenden möchten; es dauert eine Minute.",
    until:
      "Ab dem {{day}} verlangt Ihre Organisation neben dem Passwort einen zweiten Schritt. Richten Sie ihn jetzt oder später ein.",
    app: "Authenticator-App verwenden",
    passkey: "Passkey hinzufügen",
    later: "Jetzt nicht",
    confirm: {
      title: "Mit Ihrem Passkey bestätigen",
      text: "Ihre Organisation verlangt einen zweiten Schritt. Verwenden Sie den Passkey Ihres Kontos.",
      needsScript: "Aktivieren Sie JavaScript, um einen Passkey zu verwenden.",
    },
  },
  passkeyOffer: {
    title: "Beim nächsten Mal schneller anmelden?",
    text: "Mit einem Passkey melden Sie sich per Fingerabdruck, Gesichtserkennung oder Geräte-PIN statt mit einem Passwort an. Sie können auch später auf Ihrer Kontoseite einen Passkey hinzufügen.",
    add: "Passkey hinzufügen",
    later: "Jetzt nicht",
    without: "Ohne Passkey fortfahren",
  },
  idp: {
    or: "oder",
    button: "Mit {{name}} anmelden",
    google: "Über Google anmelden",
    search: {
      label: "Anderen Dienst suchen",
      submit: "Suchen",
      none: "Es wurde kein Dienst mit diesem Namen gefunden.",
    },
    errors: {
      denied: "Die Anmeldung mit {{name}} wurde abgebrochen oder abgelehnt.",
      over: "Die Anmeldung mit dem anderen Dienst hat zu lange gedauert oder wurde neu begonnen. Bitte versuchen Sie es noch einmal.",
      gone: "Mit diesem Dienst können Sie sich nicht mehr anmelden.",
      blocked: "Mit diesem Konto können Sie sich nicht anmelden.",
      notFresh:
        "{{name}} hat nicht bestätigt, dass Sie sich dort gerade angemeldet haben. Bitte melden Sie sich auf andere Weise an oder melden Sie sich dort zuerst ab.",
      notEnough:
        "Wegen Ihrer Rollen genügt die Anmeldung mit dem Dienst Ihrer Organisation für diesen Schritt nicht. Bitte melden Sie sich mit Ihrem Passwort oder einem Passkey an.",
    },
    continue: {
      text: "Ihr Browser öffnet {{name}}. Wenn nichts geschieht, wählen Sie „Weiter“.",
      submit: "Weiter",
    },
    failed: {
      title: "Die Anmeldung mit {{name}} ist fehlgeschlagen",
      unreachable:
        "{{name}} ist zurzeit nicht erreichbar. Bitte versuchen Sie es später noch einmal oder melden Sie sich auf andere Weise an.",
      refused:
        "Die Verbindung zu {{name}} ist nicht richtig eingerichtet. Bitte wenden Sie sich an Ihren Administrator oder melden Sie sich auf andere Weise an.",
      invalid:
        "Die Antwort von {{name}} konnte nicht überprüft werden. Bitte versuchen Sie es noch einmal oder melden Sie sich auf andere Weise an.",
      tooLarge:
        "Die Antwort von {{name}} ist zu groß. Bitte wenden Sie sich an Ihren Administrator oder melden Sie sich auf andere Weise an.",
      back: "Zurück zur Anmeldung",
    },
    unknown: {
      title: "Konto noch nicht verknüpft",
      text: "Ihr Konto bei {{name}} ist noch nicht mit einem Konto bei {{org}} verknüpft.",
      link: "Ich habe bereits ein Konto",
      linkHint:
        "Wenn Sie bereits ein Konto haben, melden Sie sich einmal damit an. Danach können Sie sich auf beide Arten anmelden.",
      register: "Neues Konto erstellen",
      closed: "Mit diesem Konto können Sie sich hier nicht anmelden. Bitten Sie Ihren Administrator, es zu verknüpfen.",
    },
    unsolicited: {
      title: "Mit {{name}} anmelden?",
      text: "{{name}} hat Sie zur Anmeldung hierher geleitet. Fahren Sie nur fort, wenn Sie das wollten und dies Ihr Konto ist. Schließen Sie sonst diese Seite.",
      id: "Konto-ID",
      replaces: "In diesem Browser ist jemand anderes angemeldet. Wenn Sie fortfahren, wird diese Person abgemeldet.",
      submit: "Weiter",
    },
    linked: {
      title: "Ihre Konten sind jetzt verknüpft",
      text: "{{name}} hat Ihre Adresse {{email}} bestätigt. Deshalb ist Ihr Konto dort jetzt mit Ihrem Konto hier verknüpft, und Sie können sich mit {{name}} anmelden. Wenn Sie das nicht erwartet haben, entfernen Sie die Verknüpfung auf Ihrer Kontoseite.",
      submit: "Weiter",
    },
    register: {
      title: "Erstellen Sie Ihr Konto",
      text: "Bitte prüfen Sie die Angaben von {{name}}.",
      firstName: "Vorname",
      lastName: "Nachname",
      email: "E\u2011Mail-Adresse",
      submit: "Konto erstellen",
      foreignAddress:
        "Ein Benutzername mit @ oder eine Telefonnummer muss Ihre eigene, bestätigte Adresse oder Nummer sein.",
      taken: "Dieser Benutzername ist bereits vergeben. Bitte wählen Sie einen anderen.",
      invalid: "Diese Angabe fehlt oder ist ungültig.",
    },
    linkNotice: "Melden Sie sich bei dem Konto an, das Sie mit Ihrem Konto bei {{name}} verknüpfen möchten.",
    confirm: {
      title: "Ihr Konto bei {{name}} verknüpfen?",
      text: "Danach können Sie sich hier auch mit Ihrem Konto bei {{name}} anmelden.",
      external: "Anderes Konto",
      submit: "Konten verknüpfen",
      skip: "Ohne Verknüpfung fortfahren",
      failed:
        "Die Konten konnten nicht verknüpft werden. Bitte versuchen Sie es noch einmal oder fahren Sie ohne Verknüpfung fort.",
    },
  },
};
