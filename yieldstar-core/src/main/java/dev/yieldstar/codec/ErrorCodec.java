package dev.yieldstar.codec;

/// Errors as payloads, and back.
///
/// What is kept of an error: the name of its class, message, code (see [dev.yieldstar.Coded]; also
/// a public `code()` or `getCode()`), stack elements, cause and suppressed errors. Other fields are
/// not.
/// - **Encoding never fails for what the error does.** A `getMessage` that throws, a cause that is
///   its own cause, a code with a NUL in it: there is a readable record of it at the end.
/// - **It is small.** At most 32 causes deep, 8 suppressed errors each, 64 errors in all; 200 stack
///   elements each, 1,000 in all; a message of 16,384 characters, 65,536 in all. What is left out
///   is said.
/// - **Messages and codes are storable.** NUL and half characters (lone surrogates) become U+FFFD.
/// - **Decoding gives its own class where that loses nothing.** A registered class is rebuilt by
///   its function; another one, if errors are trusted (see [ErrorTypes]), by a public constructor
///   `(String, Throwable)`, `(String)` or `()`. What was made must answer the recorded message and
///   code, else, as where the class is unknown or its constructor throws, a
///   [dev.yieldstar.RecordedFailure] carries all of it. A cause that the rebuilt error has no place
///   for is found among its suppressed errors.
///
/// Thread-safe.
public final class ErrorCodec {
  private final Codec codec;
  private final ErrorRebuilder rebuilder;

  public ErrorCodec(Codec codec, ErrorTypes types) {
    this.codec = codec;
    this.rebuilder = new ErrorRebuilder(types);
  }

  /// What an error says of itself.
  public RecordedError record(Throwable error) {
    return ErrorRecorder.record(error);
  }

  /// The error as a payload. Throws only what the codec itself throws (one that encrypts may fail;
  /// the library's own does not).
  public Payload encode(Throwable error) {
    RecordedError recorded = ErrorRecorder.record(error);
    return codec.encode(recorded, RecordedError.class);
  }

  /// The same, with a note among its suppressed errors. The error itself is not changed.
  public Payload encode(Throwable error, Throwable note) {
    RecordedError recorded = ErrorRecorder.record(error).withSuppressed(ErrorRecorder.record(note));
    return codec.encode(recorded, RecordedError.class);
  }

  /// The error that was encoded: the same on the first run and on every replay.
  ///
  /// @throws ValueRefused with code `UNDECODABLE_VALUE` if the payload is no recorded error
  public Throwable decode(Payload payload) {
    return rebuilder.rebuild(read(payload));
  }

  /// The record that was encoded, for views: no class of the application is touched.
  ///
  /// @throws ValueRefused with code `UNDECODABLE_VALUE` if the payload is no recorded error
  public RecordedError read(Payload payload) {
    Object decoded = codec.decode(payload, RecordedError.class);
    if (decoded instanceof RecordedError recorded) {
      return recorded;
    }
    throw new ValueRefused(ValueRefused.UNDECODABLE, "The recorded error is null.", null);
  }

  /// The error that a record stands for.
  public Throwable rebuild(RecordedError recorded) {
    return rebuilder.rebuild(recorded);
  }
}
