package dev.yieldstar.codec;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;

/// A declared type that passed its check, with what writes and reads its values.
///
/// @param name the type, as messages call it
/// @param raw the class that its values have at least; the box of a primitive
/// @param writer writes values, null for natural ones
/// @param judged are all its values judged by their round trip?
/// @param floating are doubles or floats in them, which can be read as infinite?
/// @param judgements how many were, so far
record BoundType(
    String name,
    Class<?> raw,
    boolean primitive,
    @Nullable ObjectWriter writer,
    ObjectReader reader,
    boolean judged,
    boolean floating,
    AtomicInteger judgements) {}
