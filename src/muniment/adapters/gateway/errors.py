"""Gateway errors: no key, rate limit, too large, wrong host."""

from muniment.model.errors import MunimentError


class UnauthorizedError(MunimentError):
    """No key, or none that is known, in force and whole; which of these is not said."""

    code = "UNAUTHORIZED"
    status = 401
    severity = "warning"
    sentence = "That needs a valid API key, sent as `Authorization: Bearer KEY`."


class RateLimitedError(MunimentError):
    """The key has asked too often; `retry_after` says how many seconds to wait."""

    code = "RATE_LIMITED"
    status = 429
    severity = "info"
    sentence = "Too many requests. Wait a moment."
    retryable = True


class TooLargeError(MunimentError):
    """The body is larger than this door takes in."""

    code = "TOO_LARGE"
    status = 413
    severity = "info"
    sentence = "The body of the request is too large."


class TooSlowError(MunimentError):
    """The body did not arrive in time."""

    code = "TOO_SLOW"
    status = 408
    severity = "info"
    sentence = "The body of the request did not arrive in time."
    retryable = True


class MediaTypeError(MunimentError):
    """The body is of a kind that this door does not read."""

    code = "MEDIA_TYPE"
    status = 415
    severity = "info"
    sentence = "The body must be JSON, with `Content-Type: application/json`."


class MethodError(MunimentError):
    """The address is known, but not with this method."""

    code = "METHOD_NOT_ALLOWED"
    status = 405
    severity = "info"
    sentence = "This address does not take that method."


class WrongPlaceError(MunimentError):
    """The request names a host or an origin that this door does not serve."""

    code = "WRONG_PLACE"
    status = 421
    severity = "warning"
    sentence = "The request names a host or an origin that is not served here."


class BusyError(MunimentError):
    """The door is closing, or too many wait already."""

    code = "BUSY"
    status = 503
    severity = "warning"
    sentence = "I am busy. Try again in a moment."
    retryable = True
