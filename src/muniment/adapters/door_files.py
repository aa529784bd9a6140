"""Files of the servers: API keys and webhooks beside a memory."""

from pathlib import Path

from muniment.adapters.config import IN_MEMORY, Settings
from muniment.adapters.gateway.api_keys import Credentials, FileCredentials, MemoryCredentials
from muniment.adapters.storage.folder.webhook_file import (
    FileWebhooks,
    MemoryWebhooks,
    WebhookBook,
)


def open_credentials(address: str | Path, settings: Settings) -> Credentials:
    """The API keys of the memory at an address; they lie beside the keys that open it."""
    text = str(address)
    if text == IN_MEMORY:
        return MemoryCredentials()
    return FileCredentials(Path(settings.keys) if "://" in text else Path(text))


def open_webhooks(
    address: str | Path, settings: Settings, allowed: frozenset[str] = frozenset()
) -> WebhookBook:
    """The webhooks of the memory at an address, and the private hosts that they may go to."""
    text = str(address)
    if text == IN_MEMORY:
        return MemoryWebhooks(allowed)
    return FileWebhooks(Path(settings.keys) if "://" in text else Path(text), allowed)
