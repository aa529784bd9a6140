/** What the service answered when it could not do what was asked. */
import type { Envelope } from "./api.js";

export class MunimentError extends Error {
  constructor(readonly status: number, readonly envelope: Partial<Envelope>) {
    super(envelope.user_message ?? `the service answered ${status}`);
    this.name = "MunimentError";
  }

  /** A stable code, as docs/vocabulary.md lists them. */
  get code(): string {
    return this.envelope.error_code ?? "UNKNOWN";
  }

  get retryable(): boolean {
    return this.envelope.retryable ?? false;
  }
}
