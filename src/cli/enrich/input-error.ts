/** The file or the options cannot be used as they are. The message is one or more whole sentences for the user. */
export class InputError extends Error {
  readonly code = "unusable_input";
  readonly retryable = false;

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "InputError";
  }
}
