"""What schemathesis cannot know about Signet. Everything else is a finding."""

import json
import re

import schemathesis

# Rules that OpenAPI and JSON Schema cannot express, as the errors that requests get which are valid otherwise.
INEXPRESSIBLE = [
    # One of two query parameters is required.
    r"userName: is required, or email$",
    # Depends on another field, or on other items.
    r"redirectUris: must have at least one URI for the grant type",
    r"grantTypes: must (have a grant type besides|(not )?have (only )?OIDC_GRANT_TYPE_CLIENT_CREDENTIALS)",
    r"roles\[\d+\]: must be printable ASCII",
    r"(identifier|scopes\[\d+\]|introspectorAppIds(\[\d+\])?): must (be (an absolute URI|the id of an application|one scope)|not (have|be a scope))",
    r"serviceUserId: (is required|must be )|: must be empty for OIDC_APP_TYPE_SERVICE",
    r"(jwks|jwksUri): (must |is required for )",
    r"since: must (not be after|be at most 31 days before) ",
    r"updateMask: (must name at least one field|.* is not a setting)",
    r"requestPasswordlessRegistration: must not be true for an inactive user",
    r"linkPath: must be (empty unless|the path of an attribute) ",
    r"message: must not be MESSAGE_RETURN_LINK for an inactive user",
    r"recoveryCodes: requires otpCode|recoveryCodes\[\d+\]: must not repeat",
    r"authMethodType: must (not )?be OIDC_AUTH_METHOD_TYPE_NONE",
    r"hashedPassword: must not be given together with password",
    r"idps\[\d+\]: must not repeat",
    r"queries: must have at most \d+ conditions|: is nested more than \d+ levels deep",
    r"providerOptions\.(isAutoCreation|autoLinking): requires |providerOptions\.trustEmail: is only for ",
    r"allowUsernamePassword: must be true if ",
    r"ignoreUnknownUsernames: must be true or absent|forceMfaFrom: requires |Lifetime: must be from ",
    r"must not be the same as an earlier one",
    r"queries\[\d+\]: must contain a condition|type: is required$",
    r"phoneQuery\.method: must be EQUALS or STARTS_WITH",
    # Of one user in a call for several, whose other users are imported.
    r"idempotencyKey: must have ",
    # Published fields and values that have no effect here.
    r": is not supported|themeMode: must be ",
    # The bytes within Base64, and the time of the call.
    r"(privateKey|value|data|metadataXml): must (not be empty|be at most \d+ bytes|be a PNG or SVG file|be an SVG file|be a private key)|: must be in Base64",
    # The same, and the domain of the service.
    r"passkeys\[\d+\]\.(credentialId|publicKey|userHandle|rpId): must ",
    r"expirationDate: must be in the future",
    # Comes from an earlier response.
    r"confirmName: must be the name of the organization",
    r"(groupAppId|idpId): must be the id of an? ",
    r"query\.pageToken: must be the nextPageToken of a previous page",
    # Depends on the type of the message, or is the rule of a text without links.
    r"(subject|buttonText|text): must ",
    # One of a hundred types.
    r"eventType: must be the type of an event of an organization",
    # One of hundreds of keys, and the rules of its text.
    r"texts\[\d+\]\.key: is (not )?the key of a text",
    r"texts\[\d+\]\.text: must (not )?contain ",
    # What is found at the URL, or in the bytes.
    r"metadata(Url|Xml): |binding: must be one for which",
    # Text whose rules do not fit into a regular expression.
    r"name: must not be empty",
    r"hashedPassword\.value: must be in Modular Crypt Format",
    r": must not contain (U\+|the character NUL)",
    r"preferredLanguage: must be a BCP 47 language tag",
    r"phone: must be (a (possible )?|the beginning of a )phone number",
    r"must be a duration in seconds|primaryColor(Dark)?: ",
    r"(email|supportAddress): must ",
    r"(domain|tenant\.tenantId): must be ",
    r"(Url|Endpoint|metadata): must be an? (absolute )?(https )?URL",
    r"(Uris?|Origins)(\[\d+\])?: must be an (absolute URI|origin)",
]


@schemathesis.hook
def filter_case(context, case):
    """ProtoJSON has forms that the document does not describe: null, and numbers for 64-bit integers and enums."""
    return not has_other_form(case.body)


@schemathesis.hook
def after_call(context, case, response):
    """Treats as conflicts what depends on earlier requests or on a rule of `INEXPRESSIBLE`."""
    if response.status_code == 200 and case.operation.path.endswith("/users/human/_bulk"):
        report_refused_user(response)
    if response.status_code != 400:
        return
    status = json.loads(response.content)
    failed_precondition = status["code"] == 9
    if failed_precondition or any(re.search(rule, status["message"]) for rule in INEXPRESSIBLE):
        response.status_code = 409


def report_refused_user(response):
    """The error of a user in a call for several is that of the call here, as if there were no other user."""
    errors = [result["error"] for result in json.loads(response.content)["results"] if "error" in result]
    if errors:
        code, message = errors[0]["code"], errors[0]["message"]
        response.status_code = 400 if code in (3, 9) else 409
        response.content = json.dumps({"code": code, "message": message, "details": []}).encode()


def has_other_form(value, name=""):
    if isinstance(value, dict):
        return any(has_other_form(item, key) for key, item in value.items())
    if isinstance(value, list):
        return any(has_other_form(item, name) for item in value)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value is None or (is_number and name not in ("limit", "counter"))
