import type { Texts } from "../en/en.ts";

export const LINKS: Texts["links"] = {
  init: {
    setUp: {
      title: "Richten Sie Ihr Konto ein",
      text: "Wählen Sie ein Passwort. Damit bestätigen Sie zugleich, dass diese E\u2011Mail-Adresse Ihnen gehört.",
    },
    setPassword: { title: "Legen Sie Ihr Passwort fest", text: "Wählen Sie ein Passwort für Ihr Konto." },
    confirm: {
      title: "Bestätigen Sie Ihre E\u2011Mail-Adresse",
      text: "Bitte bestätigen Sie, dass diese E\u2011Mail-Adresse Ihnen gehört.",
    },
    name: "Name",
    email: "E\u2011Mail-Adresse",
    password: "Neues Passwort",
    passwordOptional: "Sie können dieses Feld leer lassen, da Sie sich bereits auf andere Weise anmelden können.",
    repeat: "Passwort wiederholen",
    finish: "Abschließen",
    confirmButton: "Bestätigen",
    done: {
      title: "Alles erledigt",
      confirmedAndPasswordSet: "Ihre E\u2011Mail-Adresse ist bestätigt und Ihr Passwort ist festgelegt.",
      confirmed: "Ihre E\u2011Mail-Adresse ist bestätigt. Sie können dieses Fenster schließen.",
      passwordSet: "Ihr Passwort ist festgelegt.",
      nothingSet: "Es wurde kein Passwort festgelegt. Sie können dieses Fenster schließen.",
    },
    otherUser: {
      text: "In diesem Browser ist ein anderes Konto angemeldet. Melden Sie es zuerst ab, um Ihres zu verwenden.",
      open: "Das andere Konto öffnen",
    },
    used: { title: "Dieser Link wurde bereits verwendet", text: "Jeder Link funktioniert nur einmal." },
    expired: {
      title: "Dieser Link ist abgelaufen",
      text: "Zu Ihrer Sicherheit ist ein Link nur für begrenzte Zeit gültig.",
    },
    replaced: {
      title: "Es gibt einen neueren Link",
      text: "Bitte öffnen Sie den Link in der neuesten E\u2011Mail, die Sie erhalten haben.",
    },
    taken: {
      title: "Diese Adresse kann nicht bestätigt werden",
      text: "Sie ist der Benutzername eines anderen Kontos. Bitte wenden Sie sich an Ihren Administrator.",
    },
    outdated: {
      title: "Dieser Link ist nicht mehr gültig",
      text: "Er wurde an eine E\u2011Mail-Adresse gesendet, die nicht mehr zum Konto gehört.",
    },
    finished: {
      title: "Nichts mehr zu tun",
      text: "Dieser Link wurde bereits verwendet oder wird nicht mehr benötigt. Sie können dieses Fenster schließen.",
    },
    sendOffer: "Wenn Sie einen neuen Link benötigen, können wir ihn an {{recipient}} senden.",
    send: "Neuen Link senden",
    contactAdministrator: "Wenn Sie einen neuen Link benötigen, wenden Sie sich bitte an Ihren Administrator.",
    sent: {
      title: "Ein neuer Link ist unterwegs",
      text: "Er wurde an {{recipient}} gesendet. Frühere Links funktionieren nicht mehr. Sie können dieses Fenster schließen.",
      again: "Den nächsten können Sie {{delay}} anfordern.",
    },
    tooOften: {
      title: "Bitte warten Sie einen Moment",
      text: "Wir haben Ihnen bereits Links gesendet; sehen Sie auch im Spam-Ordner nach. Der nächste Link kann {{delay}} gesendet werden.",
    },
  },
  newEmail: {
    text: "Sie ersetzt dann die bisherige Adresse Ihres Kontos.",
    changesName: "Auch als Benutzernamen verwenden",
    title: "Adresse geändert",
    changed: "Die Adresse Ihres Kontos ist jetzt {{address}}.",
    nameChanged: "Sie ist jetzt auch Ihr Benutzername.",
    nameTaken: "Ihr Benutzername bleibt gleich, weil jemand anderes diese Adresse verwendet.",
    used: { title: "Link bereits verwendet", text: "Die Adresse wurde mit diesem Link bereits geändert." },
    over: {
      title: "Link nicht mehr gültig",
      text: "Bitte fordern Sie auf Ihrer Kontoseite einen neuen Link an.",
    },
    toAccount: "Ihr Konto öffnen",
  },
  phone: {
    confirm: {
      title: "Bestätigen Sie Ihre Telefonnummer",
      text: "Geben Sie den sechsstelligen Code ein, den wir Ihnen per SMS gesendet haben.",
    },
    name: "Name",
    number: "Telefonnummer",
    endingIn: "die Nummer mit den Endziffern {{digits}}",
    digits: "Code",
    digitsRule: "Sechs Ziffern, zum Beispiel 123 456",
    errors: {
      malformed: "Der Code besteht aus sechs Ziffern. Bitte geben Sie alle ein.",
      wrong: {
        one: "Dieser Code ist falsch. Sie haben noch einen Versuch.",
        other: "Dieser Code ist falsch. Sie haben noch {{left}} Versuche.",
      },
    },
    confirmButton: "Bestätigen",
    ended: {
      title: "Zu viele falsche Versuche",
      text: "Zu Ihrer Sicherheit funktioniert dieser Code nicht mehr, auch wenn Sie ihn richtig eingeben.",
    },
    tooMany: {
      title: "Zu viele falsche Codes",
      text: "Zu Ihrer Sicherheit werden vorerst keine Codes mehr angenommen. Sie können es {{delay}} mit einem neuen Code noch einmal versuchen.",
    },
    done: {
      title: "Alles erledigt",
      text: "Ihre Telefonnummer ist bestätigt. Sie können dieses Fenster schließen.",
    },
    used: { title: "Dieser Code wurde bereits verwendet", text: "Jeder Code funktioniert nur einmal." },
    expired: {
      title: "Dieser Code ist abgelaufen",
      text: "Zu Ihrer Sicherheit ist ein Code nur für begrenzte Zeit gültig.",
    },
    replaced: {
      title: "Es gibt einen neueren Code",
      text: "Bitte öffnen Sie den Link in der neuesten SMS, die Sie erhalten haben.",
    },
    taken: {
      title: "Diese Nummer kann nicht bestätigt werden",
      text: "Sie ist der Benutzername eines anderen Kontos. Bitte wenden Sie sich an Ihren Administrator.",
    },
    outdated: {
      title: "Dieser Link ist nicht mehr gültig",
      text: "Er wurde an eine Telefonnummer gesendet, die nicht mehr zum Konto gehört.",
    },
    finished: {
      title: "Nichts mehr zu tun",
      text: "Ihre Telefonnummer ist bestätigt. Sie können dieses Fenster schließen.",
    },
    sendOffer: "Wenn Sie einen neuen Code benötigen, können wir ihn an {{recipient}} senden.",
    send: "Neuen Code senden",
    contactAdministrator: "Wenn Sie einen neuen Code benötigen, wenden Sie sich bitte an Ihren Administrator.",
    sent: {
      title: "Ein neuer Code ist unterwegs",
      text: "Er wurde an {{recipient}} gesendet. Öffnen Sie den Link in der neuen SMS; frühere Codes funktionieren nicht mehr.",
      again: "Den nächsten können Sie {{delay}} anfordern.",
    },
    tooOften: {
      title: "Bitte warten Sie einen Moment",
      text: "Wir haben Ihnen bereits Codes gesendet, und es kann etwas dauern, bis eine SMS ankommt. Der nächste Code kann {{delay}} gesendet werden.",
    },
  },
  passkey: {
    title: "Passkey einrichten",
    intro:
      "Mit einem Passkey melden Sie sich ohne Passwort an: per Fingerabdruck, Gesichtserkennung, PIN oder Sicherheitsschlüssel.",
    account: "Name",
    userName: "Benutzername",
    create: "Passkey einrichten",
    hint: "Wenn etwas nicht funktioniert, können Sie es noch einmal versuchen. Sobald der Passkey eingerichtet ist, ist der Link nicht mehr gültig.",
    needsScript:
      "Diese Seite benötigt JavaScript, weil Browser Passkeys nur über ein Skript erstellen können. Bitte aktivieren Sie JavaScript oder öffnen Sie den Link in einem anderen Browser.",
    outcomes: {
      waiting: "Bitte folgen Sie den Anweisungen in Ihrem Browser.",
      canceled:
        "Es wurde kein Passkey eingerichtet: Der Vorgang wurde abgebrochen oder hat zu lange gedauert. Sie können es noch einmal versuchen.",
      exists:
        "Auf diesem Gerät gibt es bereits einen Passkey für Ihr Konto. Einen neuen können Sie auf einem anderen Gerät oder einem Sicherheitsschlüssel einrichten.",
      browserUnsupported:
        "Dieser Browser kann hier keine Passkeys erstellen. Bitte öffnen Sie den Link in einer aktuellen Version von Chrome, Edge, Firefox oder Safari.",
      deviceUnsupported:
        "Dieses Gerät kann den Passkey nicht erstellen. Bitte richten Sie eine Bildschirmsperre oder eine PIN ein oder verwenden Sie ein anderes Gerät oder einen Sicherheitsschlüssel.",
      wrongHost:
        "Unter dieser Adresse kann kein Passkey erstellt werden. Bitte öffnen Sie den Link genau so, wie Sie ihn erhalten haben.",
      unreachable:
        "Der Dienst war nicht erreichbar. Bitte prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.",
      failed: "Das hat nicht funktioniert. Bitte versuchen Sie es noch einmal.",
    },
    done: {
      title: "Ihr Passkey ist eingerichtet",
      text: "Ab jetzt können Sie sich damit anmelden. Sie können diese Seite schließen.",
    },
    used: {
      title: "Dieser Link wurde bereits verwendet",
      text: "Mit diesem Link wurde ein Passkey eingerichtet. Wenn Sie das nicht waren, informieren Sie bitte sofort Ihren Administrator.",
    },
    expired: {
      title: "Dieser Link ist abgelaufen",
      text: "Er war eine Stunde lang gültig. Bitten Sie Ihren Administrator um einen neuen Link.",
    },
    replaced: {
      title: "Es gibt einen neueren Link",
      text: "Bitte öffnen Sie den neuesten Link, den Sie erhalten haben.",
    },
    "not-begun": "Das hat zu lange gedauert, oder die Seite ist mehrfach geöffnet. Bitte versuchen Sie es noch einmal.",
    taken:
      "Dieser Passkey ist bereits registriert. Bitte verwenden Sie ein anderes Gerät oder einen anderen Sicherheitsschlüssel.",
    refused:
      "Der Passkey konnte nicht überprüft werden und wurde nicht gespeichert. Bitte versuchen Sie es noch einmal.",
  },
  reset: {
    choose: {
      title: "Wählen Sie ein neues Passwort",
      text: "Es ersetzt das aktuelle Passwort Ihres Kontos.",
      button: "Neues Passwort festlegen",
    },
    done: {
      title: "Alles erledigt",
      text: "Ihr neues Passwort ist festgelegt.",
    },
    used: {
      title: "Dieser Link wurde bereits verwendet",
      text: "Jeder Link funktioniert nur einmal. Wenn Sie weiterhin ein neues Passwort benötigen, fordern Sie bitte einen neuen Link an.",
    },
    expired: {
      title: "Dieser Link ist abgelaufen",
      text: "Zu Ihrer Sicherheit ist ein Link nur für begrenzte Zeit gültig und nur, bis das Passwort geändert wird. Wenn Sie weiterhin ein neues Passwort benötigen, fordern Sie bitte einen neuen Link an.",
    },
    replaced: {
      title: "Es gibt einen neueren Link",
      text: "Bitte öffnen Sie den Link in der neuesten Nachricht, die Sie erhalten haben.",
    },
    outdated: {
      title: "Dieser Link ist nicht mehr gültig",
      text: "Er wurde an eine Adresse oder Nummer gesendet, die nicht mehr zum Konto gehört.",
    },
  },
  next: {
    title: "Weiter zu {{host}}?",
    text: "Dieser Link führt zu einer anderen Website: {{host}}. Fahren Sie nur fort, wenn Sie sie kennen und dorthin wollten.",
    button: "Weiter",
  },
  firstAdministrator: {
    missing: {
      title: "Dieser Dienst hat noch keinen Administrator",
      text: "Beim Start gibt der Dienst einen Link aus. Öffnen Sie diesen Link, um den ersten Administrator anzulegen.",
    },
    newLink: "Einen neuen Link gibt dieser Befehl aus, wenn er dort ausgeführt wird, wo der Dienst läuft:",
    signIn: "Ich habe ein Konto: anmelden",
    create: {
      title: "Ersten Administrator anlegen",
      text: "Sie erhalten alle Berechtigungen und melden sich mit Ihrer E\u2011Mail-Adresse und diesem Passwort an.",
      button: "Administrator anlegen",
    },
    taken: "Es gibt bereits einen Benutzer mit dieser Adresse. Bitte verwenden Sie eine andere.",
    over: {
      title: "Dieser Link funktioniert nicht mehr",
      text: "Er ist abgelaufen, wurde bereits verwendet oder unvollständig kopiert.",
    },
  },
};
