"""Imports a user twice, and reads the user and the details of the second call's error."""
import os
import uuid

from client import AuthenticatedClient
from client.api.management_service import management_service_get_user_by_id as get_user
from client.api.management_service import management_service_import_human_user as import_user
from client.models import (
    ImportHumanUserRequest,
    ImportHumanUserRequestEmail,
    ImportHumanUserRequestProfile,
)

signet = AuthenticatedClient(f"http://{os.environ['SIGNET_ADDRESS']}", os.environ["SIGNET_TOKEN"])
user = ImportHumanUserRequest(
    user_name=f"ada-{uuid.uuid4()}",
    profile=ImportHumanUserRequestProfile(first_name="Ada", last_name="Lovelace"),
    email=ImportHumanUserRequestEmail(email="ada@example.com", is_email_verified=True),
)

imported = import_user.sync(client=signet, body=user)
print("imported", imported.user_id, "sequence", imported.details.sequence)
read = get_user.sync(imported.user_id, client=signet)
print("read", read.user.human.profile.first_name, read.user.state.value)
error = import_user.sync(client=signet, body=user)
print("failed", error.details[0].reason)
