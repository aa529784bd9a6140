"""Models by name: `ollama:qwen3`, `anthropic:…`, `openai:…`, `llamacpp:…`, or `address model`."""

import os
from typing import Final

import msgspec

from muniment.adapters.models import http_backend
from muniment.adapters.models.chat_apis import ANTHROPIC, OLLAMA, OPENAI, ChatApi
from muniment.adapters.models.chat_model import ChatModel
from muniment.adapters.models.usage import MILLION, ModelBudget, UsageLedger
from muniment.adapters.system import optional_packages
from muniment.model.errors import InputError

KEY: Final = "MUNIMENT_MODEL_KEY"
TOKENS: Final = "MUNIMENT_MODEL_TOKENS_PER_DAY"
MONEY: Final = "MUNIMENT_MODEL_MONEY_PER_DAY"
PRICES: Final = "MUNIMENT_MODEL_PRICES"  # of a million tokens: sent, received
TIMEOUT: Final = "MUNIMENT_MODEL_TIMEOUT"


class Provider(msgspec.Struct, frozen=True, kw_only=True):
    """Where a kind of model is found, and where its key is."""

    api: ChatApi
    address: str
    address_variable: str
    key_variable: str = KEY


PROVIDERS: Final = {
    "ollama": Provider(
        api=OLLAMA, address="http://127.0.0.1:11434", address_variable="OLLAMA_HOST"
    ),
    "llamacpp": Provider(
        api=OPENAI, address="http://127.0.0.1:8080/v1", address_variable="LLAMACPP_BASE_URL"
    ),
    "openai": Provider(
        api=OPENAI,
        address="https://api.openai.com/v1",
        address_variable="OPENAI_BASE_URL",
        key_variable="OPENAI_API_KEY",
    ),
    "anthropic": Provider(
        api=ANTHROPIC,
        address="https://api.anthropic.com",
        address_variable="ANTHROPIC_BASE_URL",
        key_variable="ANTHROPIC_API_KEY",
    ),
}
HOW: Final = (
    f"a model is named as {', '.join(f'{each}:NAME' for each in PROVIDERS)}, or: address model"
)


def named_model(told: str, usage: UsageLedger | None = None) -> ChatModel:
    """The model that an option or a variable names; its key comes from the environment."""
    optional_packages.expect("client")
    kind, colon, model = told.strip().partition(":")
    provider = PROVIDERS.get(kind)
    if provider is None:
        address, model = http_backend.named(told, 2, HOW)
        return ChatModel(
            address,
            model,
            key=http_backend.key(KEY),
            usage=usage,
            timeout_seconds=_seconds(),
        )
    if not colon or not model or any(map(str.isspace, model)):
        raise InputError(HOW)
    return ChatModel(
        _address(provider),
        model,
        api=provider.api,
        key=http_backend.key(provider.key_variable),
        usage=usage,
        timeout_seconds=_seconds(),
    )


def budget() -> ModelBudget:
    """What may be spent on a day, as the environment says."""
    sent, _, received = os.environ.get(PRICES, "").partition(",")
    return ModelBudget(
        tokens_per_day=int(_number(TOKENS, os.environ.get(TOKENS, ""))),
        micros_per_day=_micros(MONEY, os.environ.get(MONEY, "")),
        sent_price_micros=_micros(PRICES, sent),
        received_price_micros=_micros(PRICES, received or sent),
    )


def _address(provider: Provider) -> str:
    told = os.environ.get(provider.address_variable, "").strip() or provider.address
    return told if told.startswith(http_backend.SCHEMES) else f"http://{told}"


def _seconds() -> float:
    return _number(TIMEOUT, os.environ.get(TIMEOUT, "")) or http_backend.TIMEOUT_SECONDS


def _micros(name: str, told: str) -> int:
    return round(_number(name, told) * MILLION)


def _number(name: str, told: str) -> float:
    try:
        found = float(told) if told.strip() else 0.0
    except ValueError:
        found = -1.0
    if not 0 <= found < 1e15:  # noqa: PLR2004 - neither below nothing nor without end
        raise InputError(f"{name}: a number was expected")
    return found
