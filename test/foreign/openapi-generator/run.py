"""Imports a user twice, and reads the user and the details of the second call's error."""
import json
import os
import uuid

import openapi_client
from openapi_client.exceptions import ApiException

configuration = openapi_client.Configuration(host=f"http://{os.environ['SIGNET_ADDRESS']}")
configuration.access_token = os.environ["SIGNET_TOKEN"]
user = openapi_client.ImportHumanUserRequest.from_dict(
    {
        "userName": f"ada-{uuid.uuid4()}",
        "profile": {"firstName": "Ada", "lastName": "Lovelace"},
        "email": {"email": "ada@example.com", "isEmailVerified": True},
    }
)

with openapi_client.ApiClient(configuration) as client:
    management = openapi_client.ManagementServiceApi(client)
    imported = management.management_service_import_human_user(user)
    print("imported", imported.user_id, "sequence", imported.details.sequence)
    read = management.management_service_get_user_by_id(imported.user_id)
    print("read", read.user.human.profile.first_name, read.user.state.value)
    try:
        management.management_service_import_human_user(user)
    except ApiException as error:
        print("failed", json.loads(error.body)["details"][0]["reason"])
